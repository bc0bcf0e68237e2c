// Blosc2 arrays (.b2nd) over HTTP, read in parts:
//
//     import { open } from "./oxiblosc.js";
//     const array = await open("temperature.b2nd");
//     const box = await array.slice([[100, 200], [0, 50]]);    // { data: Float32Array, shape: [100, 50] }

const TYPES = {
  "|b1": Uint8Array, "|i1": Int8Array, "|u1": Uint8Array,
  "<i2": Int16Array, "<u2": Uint16Array, "<i4": Int32Array, "<u4": Uint32Array,
  "<i8": BigInt64Array, "<u8": BigUint64Array, "<f4": Float32Array, "<f8": Float64Array,
};
// The bytes of the first request: small files are here as a whole.
const FIRST = 65536;
// A module that adds vectors: valid where the browser has them.
const VECTORS = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0,
  65, 0, 253, 15, 253, 98, 11);

let modules = {};

/** The module, compiled once: with vectors where the browser has them. */
async function load(simd) {
  const name = (simd ?? WebAssembly.validate(VECTORS)) ? "oxiblosc-simd.wasm" : "oxiblosc.wasm";
  modules[name] ??= WebAssembly.instantiateStreaming(fetch(new URL(name, import.meta.url)))
    .then(({ instance }) => instance.exports);
  return modules[name];
}

/** One version of an object at a URL, and what it has cost so far. */
class Remote {
  constructor(url) {
    this.url = url;
    this.traffic = { requests: 0, rounds: 0, bytes: 0 };
  }

  async range(start, end) {
    this.traffic.requests += 1;
    // Past the cache of the browser, in which requests for one URL wait for each other.
    const answer = await fetch(this.url, { headers: { Range: `bytes=${start}-${end - 1n}` }, cache: "no-store" });
    if (!answer.ok) throw new Error(`${this.url}: ${answer.status} ${answer.statusText}`);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    this.traffic.bytes += bytes.length;
    const version = answer.headers.get("ETag");
    if (this.version !== undefined && version !== this.version) {
      throw new Error(`${this.url}: the object has changed since it was opened`);
    }
    this.version = version;
    if (answer.status === 200) return { at: 0n, bytes, length: BigInt(bytes.length) };
    const place = /bytes (\d+)-\d+\/(\d+)/.exec(answer.headers.get("Content-Range") ?? "");
    // Without the header, which another origin has to expose, the answer is what was asked for.
    return place ? { at: BigInt(place[1]), bytes, length: BigInt(place[2]) } : { at: start, bytes };
  }

  /** Fetches all ranges of a round together. */
  round(ranges) {
    this.traffic.rounds += 1;
    return Promise.all(ranges.map(([start, end]) => this.range(start, end)));
  }
}

/** A handle of the module. */
class Handle {
  constructor(wasm, pointer) {
    Object.assign(this, { wasm, pointer });
  }

  /** Memory is looked up each time: it moves when it grows. */
  answer() {
    const { memory, oxiblosc_answer, oxiblosc_answer_len } = this.wasm;
    const length = oxiblosc_answer_len(this.pointer);
    return memory.buffer.slice(oxiblosc_answer(this.pointer), oxiblosc_answer(this.pointer) + length);
  }

  /** Calls a function; returns whether it is done. */
  call(name) {
    const code = this.wasm[`oxiblosc_${name}`](this.pointer);
    if (code < 0) throw new Error(new TextDecoder().decode(this.answer()));
    return code === 0;
  }

  numbers(name) {
    this.call(name);
    return Array.from(new BigUint64Array(this.answer()));
  }

  /** Passes bytes to the module for the length of a call. */
  lend(bytes, use) {
    const { memory, oxiblosc_alloc, oxiblosc_free } = this.wasm;
    const at = oxiblosc_alloc(bytes.length);
    if (at === 0) throw new Error(`no memory for ${bytes.length} bytes`);
    try {
      new Uint8Array(memory.buffer).set(bytes, at);
      return use(at);
    } finally {
      oxiblosc_free(at, bytes.length);
    }
  }

  give({ at, bytes }) {
    this.lend(bytes, (place) => this.wasm.oxiblosc_give(this.pointer, at, place, bytes.length));
  }

  /** Fetches what is missing until the work of this handle is done. */
  async run(remote) {
    for (;;) {
      const ends = this.numbers("needs");
      if (ends.length === 0) {
        if (this.call("finish")) return;
        continue;
      }
      const ranges = ends.filter((_, n) => n % 2 === 0).map((start, n) => [start, ends[2 * n + 1]]);
      for (const part of await remote.round(ranges)) this.give(part);
    }
  }

  close() {
    this.wasm.oxiblosc_close(this.pointer);
    this.pointer = 0;
  }
}

/** An array at a URL. `close()` frees its memory. */
export class NDArray {
  constructor(handle, remote) {
    Object.assign(this, { handle, remote });
    const shapes = handle.numbers("shapes").map(Number);
    const ndim = shapes.length / 3;
    this.shape = shapes.slice(0, ndim);
    this.chunks = shapes.slice(ndim, 2 * ndim);
    this.blocks = shapes.slice(2 * ndim);
    handle.call("dtype");
    this.dtype = new TextDecoder().decode(handle.answer());
  }

  /** The requests, rounds and bytes so far. */
  get traffic() {
    return { ...this.remote.traffic };
  }

  /** The elements of a box: `[start, end]` of each axis. Bytes, for dtypes that JavaScript does not have. */
  async slice(axes) {
    const { wasm } = this.handle;
    const ends = new Uint8Array(BigUint64Array.from(axes.flat(), BigInt).buffer);
    const read = new Handle(wasm, this.handle.lend(ends, (at) =>
      wasm.oxiblosc_slice(this.handle.pointer, at, axes.length)));
    try {
      await read.run(this.remote);
      const data = new (TYPES[this.dtype] ?? Uint8Array)(read.answer());
      return { data, shape: axes.map(([start, end]) => end - start) };
    } finally {
      read.close();
    }
  }

  close() {
    this.handle.close();
  }
}

/** Opens the array at a URL whose server answers ranges. `simd`: with vectors or without; by default as it can. */
export async function open(url, { simd } = {}) {
  const remote = new Remote(url);
  const [wasm, [first]] = await Promise.all([load(simd), remote.round([[0n, BigInt(FIRST)]])]);
  if (first.length === undefined) {
    throw new Error(`${url}: the server has to expose the header Content-Range to this page`);
  }
  const handle = new Handle(wasm, wasm.oxiblosc_open(first.length));
  try {
    handle.give(first);
    await handle.run(remote);
    return new NDArray(handle, remote);
  } catch (error) {
    handle.close();
    throw error;
  }
}
