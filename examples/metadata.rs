//! Metadata beside the elements, readable by python-blosc2: `array.schunk.vlmeta["sensor"]`.
#![expect(clippy::print_stdout, reason = "an example tells what it did")]

use std::collections::BTreeMap;

use oxiblosc::b2nd::{Array, ArrayParams};
use serde::{Deserialize, Serialize};

#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Sensor {
    name: String,
    place: (f64, f64),
    calibrated: bool,
}

fn main() -> oxiblosc::Result<()> {
    let path = std::env::temp_dir().join("oxiblosc_metadata.b2nd");
    let sensor = Sensor {
        name: "roof".into(),
        place: (48.1, 11.6),
        calibrated: true,
    };
    let params = ArrayParams::new::<f32>([1000]).overwrite(true);
    let mut array = Array::create(&path, &params)?;
    array.vlmeta_mut().set("unit", "K")?;
    array.vlmeta_mut().set("sensor", &sensor)?;
    array.finish()?;

    let array = Array::open(&path)?;
    assert_eq!(array.vlmeta().get::<String>("unit")?.as_deref(), Some("K"));
    assert_eq!(array.vlmeta().get::<Sensor>("sensor")?, Some(sensor));
    // Whatever its fields are.
    let fields = array
        .vlmeta()
        .get::<BTreeMap<String, serde_json::Value>>("sensor")?;
    println!("{:?}", fields.unwrap_or_default());
    Ok(())
}
