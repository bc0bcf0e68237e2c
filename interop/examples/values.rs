//! Records and metadata for `interop/python/check_values.py`: `values write FILE` writes an array
//! of records with metadata, `values read FILE` prints one that python-blosc2 wrote.

use std::error::Error;
use std::io::Write;

use bytemuck::{Pod, Zeroable};
use oxiblosc::DParams;
use oxiblosc::b2nd::{Array, ArrayParams, ByteString, Element};
use oxiblosc::frame::{FrameReader, FrameWriter};

#[derive(Clone, Copy, Debug, Pod, Zeroable, Element)]
#[repr(C)]
struct Point {
    x: i16,
    y: u16,
}

#[derive(Clone, Copy, Debug, Pod, Zeroable, Element)]
#[repr(C)]
struct Sample {
    time: i64,
    xyz: [f32; 3],
    name: ByteString<5>,
    rgb: [u8; 3],
    #[element(rename = "the corners")]
    corners: [[Point; 2]; 2],
    #[element(padding)]
    pad: [u8; 4],
}

fn sample(n: u8) -> Sample {
    let corner = |at: i16| Point {
        x: at - 300,
        y: 7 * u16::from(n),
    };
    Sample {
        time: i64::from(n) - 2,
        xyz: [0.5, -1.5, f32::from(n)],
        name: ByteString::new(&b"abcde"[..usize::from(n % 6)]).unwrap_or_default(),
        rgb: [n, 0, 255],
        corners: [[corner(0), corner(1)], [corner(2), corner(3)]],
        pad: [0; 4],
    }
}

#[derive(Debug, serde::Serialize, serde::Deserialize)]
struct Sensor {
    id: u32,
    place: Option<String>,
    range: (f64, f64),
    steps: Vec<i32>,
}

fn write(path: &str) -> Result<(), Box<dyn Error>> {
    let samples: Vec<Sample> = (0..100).map(sample).collect();
    let params = ArrayParams::new::<Sample>([10, 10])
        .chunkshape([4, 10])
        .blockshape([3, 4]);
    let writer = FrameWriter::create(path, params.frame_params()?)?;
    let mut array = Array::from_bytes_in(writer, bytemuck::cast_slice(&samples), &params)?;
    let mut vlmeta = array.vlmeta_mut();
    vlmeta.set("unit", "kelvin")?;
    vlmeta.set("number", &-70_000)?;
    vlmeta.set("float", &1.25)?;
    vlmeta.set("truth", &true)?;
    vlmeta.set("nothing", &())?;
    let sensor = Sensor {
        id: 7,
        place: Some("roof \u{E9}".to_owned()),
        range: (-1.0, 1e300),
        steps: (0..70).collect(),
    };
    vlmeta.set("sensor", &sensor)?;
    vlmeta.set("removed", "soon")?;
    vlmeta.remove("removed")?;
    array.into_inner()?.finish()?;
    Ok(())
}

fn read(path: &str) -> Result<(), Box<dyn Error>> {
    let array = Array::open_in(FrameReader::open(path, DParams::new())?)?;
    let mut out = std::io::stdout().lock();
    for sample in array.to_elements::<Sample>()? {
        let Sample { time, xyz, rgb, .. } = sample;
        let corners = sample.corners.as_flattened();
        let corners: Vec<_> = corners.iter().map(|point| (point.x, point.y)).collect();
        let name = sample.name.as_bytes().escape_ascii();
        writeln!(out, "{time} {xyz:?} {name} {rgb:?} {corners:?}")?;
    }
    let meta = array.vlmeta();
    writeln!(out, "{:?}", meta.names())?;
    writeln!(out, "{:?}", meta.get::<Sensor>("sensor")?)?;
    writeln!(out, "{:?}", meta.get::<(u8, (String, f64))>("tuple")?)?;
    writeln!(out, "{:?}", meta.get::<[f64; 2]>("complex")?)?;
    writeln!(out, "{:?}", meta.get::<Vec<i64>>("set")?)?;
    writeln!(out, "{:?}", meta.get::<(f64, u16, bool)>("scalars")?)?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["write", path] => write(path),
        ["read", path] => read(path),
        _ => Err("usage: values write FILE | values read FILE".into()),
    }
}
