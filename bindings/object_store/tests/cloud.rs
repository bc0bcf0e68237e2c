//! Arrays in S3 and Azure, against emulators: `ci/object-stores-cloud.sh` starts them. Without
//! their addresses the tests say that they skip, and fail where `OXIBLOSC_REQUIRE` names `cloud`.
#![cfg(all(feature = "aws", feature = "azure"))]
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failing test may panic"
)]

use std::sync::Arc;

use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::path::Path;
use object_store::{ClientOptions, ObjectStore};
use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc_object_store::{Error, ObjectArray, OpenOptions, ReadPolicy};

fn numbers(add: i32) -> Vec<i32> {
    (0..1000 * 1000)
        .map(|n: i32| (n.wrapping_mul(n) >> 9) ^ add)
        .collect()
}

fn frame(numbers: &[i32]) -> Vec<u8> {
    let params = ArrayParams::new::<i32>([1000, 1000])
        .chunkshape([250, 250])
        .blockshape([50, 50]);
    let array = Array::from_elements(numbers, &params).unwrap();
    array.schunk().to_cframe().unwrap()
}

/// The address of an emulator; `None`, said aloud, when there is none.
fn address(variable: &str) -> Option<String> {
    match std::env::var(variable) {
        Ok(address) => Some(address),
        Err(_) => {
            let required = std::env::var("OXIBLOSC_REQUIRE").unwrap_or_default();
            assert!(!required.contains("cloud"), "{variable} is not set");
            println!("skipped: {variable} is not set");
            None
        }
    }
}

/// Writes an array, reads it in parts, and replaces it meanwhile.
///
/// `rounds` are those of opening.
async fn reads(store: Arc<dyn ObjectStore>, rounds: u64) {
    let path = Path::from("some/where/array.b2nd");
    let numbers_before = numbers(0);
    let object = frame(&numbers_before);
    let len = u64::try_from(object.len()).unwrap();
    store.put(&path, object.into()).await.unwrap();

    // Nothing is kept, and no range is joined with another: what is read is what is asked for.
    let options = OpenOptions::new()
        .cache_bytes(0)
        .policy(ReadPolicy::from_latency(0.0, 0.0, 1));
    let array = options
        .clone()
        .open(Arc::clone(&store), path.clone())
        .await
        .unwrap();
    assert_eq!(array.shape(), [1000, 1000]);
    let opened = array.traffic();
    assert_eq!((opened.requests, opened.rounds), (2, rounds));
    assert!(opened.nbytes <= (4 << 10) + (32 << 10));
    assert_eq!(
        array.slice::<i32>((777, 333)).await.unwrap(),
        [numbers_before[777_333]]
    );
    let element = array.traffic();
    assert!(element.requests - opened.requests <= 2);
    assert!(element.nbytes - opened.nbytes < len / 16);
    let column: Vec<i32> = (0..1000)
        .map(|row| numbers_before[row * 1000 + 7])
        .collect();
    assert_eq!(array.slice::<i32>((.., 7)).await.unwrap(), column);
    assert_eq!(array.slice::<i32>(..).await.unwrap(), numbers_before);

    // Another version under the same name, of the same length or not.
    let numbers_after = numbers(1);
    store
        .put(&path, frame(&numbers_after).into())
        .await
        .unwrap();
    let found = array.slice::<i32>((777, 333)).await;
    let refused = matches!(
        found,
        Err(Error::Store(object_store::Error::Precondition { .. }))
    );
    assert!(refused, "{found:?}");
    let again = options
        .open(Arc::clone(&store), path.clone())
        .await
        .unwrap();
    assert_eq!(
        again.slice::<i32>((.., ..3)).await.unwrap()[..3],
        numbers_after[..3]
    );

    store.delete(&path).await.unwrap();
    let found = again.slice::<i32>((777, 333)).await;
    let gone = matches!(
        found,
        Err(Error::Store(
            object_store::Error::NotFound { .. } | object_store::Error::Precondition { .. }
        ))
    );
    assert!(gone, "{found:?}");
    let missing = ObjectArray::open(store, path).await;
    assert!(matches!(
        missing,
        Err(Error::Store(object_store::Error::NotFound { .. }))
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn s3() {
    let Some(address) = address("OXIBLOSC_S3") else {
        return;
    };
    let builder = AmazonS3Builder::new()
        .with_endpoint(address)
        .with_bucket_name("arrays")
        .with_region("us-east-1")
        .with_access_key_id("test")
        .with_secret_access_key("test")
        .with_allow_http(true);
    reads(Arc::new(builder.build().unwrap()), 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn azure() {
    let Some(address) = address("OXIBLOSC_AZURE") else {
        return;
    };
    // The account that every emulator has.
    let builder = MicrosoftAzureBuilder::new()
        .with_account("devstoreaccount1")
        .with_access_key(concat!(
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/",
            "KBHBeksoGMGw=="
        ))
        .with_container_name("arrays")
        .with_endpoint(format!("{address}/devstoreaccount1"))
        .with_client_options(ClientOptions::new().with_allow_http(true));
    // It has no ranges that count from the end.
    reads(Arc::new(builder.build().unwrap()), 2).await;
}

/// No emulator of it is used: that it can be built and asked is all that is shown.
#[cfg(feature = "gcp")]
#[test]
fn gcs_is_a_store() {
    use object_store::gcp::GoogleCloudStorageBuilder;

    let key = r#"{"gcs_base_url": "http://localhost:1", "disable_oauth": true,
        "client_email": "", "private_key": "", "private_key_id": ""}"#;
    let builder = GoogleCloudStorageBuilder::new()
        .with_bucket_name("arrays")
        .with_service_account_key(key);
    let store: Arc<dyn ObjectStore> = Arc::new(builder.build().unwrap());
    assert!(store.to_string().contains("arrays"), "{store}");
}
