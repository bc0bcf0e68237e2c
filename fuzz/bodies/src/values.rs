//! Metadata: msgpack as values of serde.

use oxiblosc::schunk::{VlMeta, VlMetaMut};
use oxiblosc::store::Value as Plain;
use oxiblosc::{CParams, ChunkSink, Limits, SChunk};
use serde_json::Value;

/// No content of a vlmetalayer makes its decoder panic or exhaust the stack, and a value that was
/// read is the same after it is written. The other decoder of msgpack, that of stores, takes
/// whatever this one takes.
pub fn values(data: &[u8]) {
    let mut schunk = SChunk::new(CParams::new(1), 100).expect("good parameters");
    schunk.set_vlmetalayer("m", data).expect("a good name");
    let _ = VlMeta::new(&schunk).get::<(f64, Vec<(String, i8)>)>("m");
    let _ = VlMeta::new(&schunk).get::<Vec<Option<bool>>>("m");
    let Ok(Some(value)) = VlMeta::new(&schunk).get::<Value>("m") else {
        return;
    };
    assert!(
        Plain::decode(data, &Limits::UNTRUSTED).is_ok(),
        "of stores: {value}"
    );
    // A list that begins like a tuple of Python would be read as one.
    if value.to_string().contains("__tuple__") {
        return;
    }
    VlMetaMut::new(&mut schunk)
        .set("m", &value)
        .expect("a value with texts as keys");
    let again = VlMeta::new(&schunk)
        .get::<Value>("m")
        .expect("a value of our own");
    assert_eq!(again, Some(value));
}
