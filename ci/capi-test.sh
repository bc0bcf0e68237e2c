#!/usr/bin/env bash
# capi-test.sh DIR tests an installation that build-capi.sh left in DIR: exported symbols, name and needed libraries,
# layouts, what every function refuses, functions of the caller, files that are open twice, damaged data, and arrays
# in several threads. With SANITIZER=address, the C programs and the library (built for this) run under
# AddressSanitizer; so do the 61 programs of C-Blosc2 where OXIBLOSC_UPSTREAM names their folder.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd); . "$here/_lib.sh"
dir=$(cd "${1:?DIR}" && pwd); top=$(cd "$here/.." && pwd); tests=$top/bindings/c/tests
need cc:gcc nm:binutils readelf:binutils
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
lib=$dir/lib/libblosc2.so.9

nm -D --defined-only "$lib" | awk '{print $3}' | LC_ALL=C sort > "$work/ours"
LC_ALL=C sort "$top/tests/data/c_functions.txt" > "$work/theirs"
diff "$work/theirs" "$work/ours" || die "the library exports other symbols than the 164 functions"
readelf -d "$lib" > "$work/dynamic"
grep -q 'SONAME.*\[libblosc2.so.9\]' "$work/dynamic" || die "the library has another SONAME"
if grep NEEDED "$work/dynamic" | grep -vE '\[(libc|libm|libgcc_s|libpthread|libdl|ld-linux[^]]*)\.so\.[0-9]+\]'; then
  die "the library needs other libraries"
fi
say "164 symbols, libblosc2.so.9"

if [ -f "$dir/lib/libblosc.so.1" ]; then
  grep -oE '\bblosc_[a-z_]+\(' "$dir/include/blosc.h" | tr -d '(' | LC_ALL=C sort -u > "$work/declared"
  nm -D --defined-only "$dir/lib/libblosc.so.1" | awk '{print $3}' | LC_ALL=C sort > "$work/exported"
  diff "$work/declared" "$work/exported" || die "libblosc.so.1 exports other symbols than blosc.h declares"
  readelf -d "$dir/lib/libblosc.so.1" | grep -q 'SONAME.*\[libblosc.so.1\]' || die "libblosc.so.1 has another SONAME"
  # Debian's library, as the other side.
  need "/usr/lib/$(uname -m)-linux-gnu/libblosc.so.1:libblosc1"
  cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -I"$dir/include" "$top/bindings/blosc1/tests/both.c" -ldl -o "$work/both"
  "$work/both" "/usr/lib/$(uname -m)-linux-gnu/libblosc.so.1" "$dir/lib/libblosc.so.1" 2>/dev/null || die "Blosc1 chunks differ"
fi

flags=(-std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Wno-unused -g)
headers=("$dir/include")
if [ -n "${C_BLOSC2_INCLUDE:-}" ]; then headers+=("$C_BLOSC2_INCLUDE"); fi
for include in "${headers[@]}"; do cc "${flags[@]}" -I"$include" -fsyntax-only "$tests/layout.c"; done
say "layouts: ${#headers[@]} sets of headers"

if [ "${SANITIZER:-}" = address ]; then
  triple=x86_64-unknown-linux-gnu; target=${ASAN_TARGET_DIR:-$top/bindings/c/target/address}
  RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address --cap-lints=warn" CARGO_PROFILE_QUICK_DEBUG=line-tables-only \
    cargo build --locked --quiet --profile quick --target $triple --target-dir "$target" \
    --manifest-path "$top/bindings/c/Cargo.toml"
fi
for program in refuse callbacks storage handles damage arrays; do
  if [ "${SANITIZER:-}" = address ]; then
    cc "${flags[@]}" -fsanitize=address -I"$dir/include" "$tests/$program.c" "$target/$triple/quick/libblosc2.a" \
      -lpthread -ldl -lm -o "$work/$program"
  else
    cc "${flags[@]}" -I"$dir/include" "$tests/$program.c" -L"$dir/lib" -lblosc2 -lpthread -Wl,-rpath,"$dir/lib" \
      -o "$work/$program"
  fi
  (cd "$work" && "./$program") || die "$program failed"
done
for program in storage handles; do
  (cd "$work" && "./$program" 4) || die "$program failed with 4 threads"
done
say "refusals, callbacks and storages${SANITIZER:+ under AddressSanitizer}"

if [ "${SANITIZER:-}" = address ] && [ -n "${OXIBLOSC_UPSTREAM:-}" ]; then
  mkdir "$work/lib"; cp "$target/$triple/quick/libblosc2.so" "$work/lib/libblosc2.so.9"
  printf '#!/bin/sh\nexec cc -fsanitize=address -g "$@"\n' > "$work/cc"; chmod +x "$work/cc"
  # The programs of C-Blosc2 free less than they allocate.
  CC="$work/cc" ASAN_OPTIONS=detect_leaks=0 "$OXIBLOSC_UPSTREAM/run-c-tests.sh" "$work/lib" "$dir/include"
fi
