//! Reads a row of an array in S3, as `docs/over-http-and-s3.md` shows it: a test compares the two.
#![expect(clippy::print_stdout, reason = "an example for the command line")]

use std::sync::Arc;

use object_store::aws::AmazonS3Builder;
use oxiblosc_object_store::ObjectArray;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // AWS_ACCESS_KEY_ID, AWS_REGION and so on. HTTP: HttpBuilder::new().with_url("https://host/data")
    let store = AmazonS3Builder::from_env()
        .with_bucket_name("arrays")
        .build()?;
    let array = ObjectArray::open(Arc::new(store), "grid.b2nd").await?;
    let row: Vec<i32> = array.slice((500, ..)).await?;
    println!("{} numbers, {:?}", row.len(), array.traffic());
    Ok(())
}
