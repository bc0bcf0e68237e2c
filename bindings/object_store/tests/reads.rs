//! Arrays in stores: memory, files, HTTP with ranges, and objects that change.
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

mod server;

use std::sync::Arc;
use std::time::Duration;

use object_store::http::HttpBuilder;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{ClientOptions, ObjectStore};
use oxiblosc::Limits;
use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc_object_store::{Error, ObjectArray, OpenOptions, ReadPolicy};
use server::Server;

fn numbers() -> Vec<i32> {
    (0..400 * 300)
        .map(|n: i32| n.wrapping_mul(n) >> 7)
        .collect()
}

fn frame(numbers: &[i32]) -> Vec<u8> {
    let params = ArrayParams::new::<i32>([400, 300])
        .chunkshape([100, 100])
        .blockshape([25, 20]);
    let array = Array::from_elements(numbers, &params).unwrap();
    array.schunk().to_cframe().unwrap()
}

async fn check(array: &ObjectArray) {
    let numbers = numbers();
    let at = |row: usize, column: usize| numbers[row * 300 + column];
    assert_eq!(array.shape(), [400, 300]);
    assert_eq!(
        array.slice::<i32>((399, 299)).await.unwrap(),
        [at(399, 299)]
    );
    let column: Vec<i32> = (0..400).map(|row| at(row, 7)).collect();
    assert_eq!(array.slice::<i32>((.., 7)).await.unwrap(), column);
    let expected = [at(90, 190), at(90, 210), at(110, 190), at(110, 210)];
    let lists = (&[90, 110], &[190, 210]);
    assert_eq!(array.slice::<i32>(lists).await.unwrap(), expected);
    assert_eq!(array.slice::<i32>(..).await.unwrap(), numbers);
    let bytes = array.slice_bytes((0, ..2)).await.unwrap();
    assert_eq!(
        bytes,
        [at(0, 0).to_le_bytes(), at(0, 1).to_le_bytes()].concat()
    );
    assert!(matches!(array.slice::<f32>(..).await, Err(Error::Array(_))));
    assert!(matches!(
        array.slice::<i32>(400).await,
        Err(Error::Array(_))
    ));
}

#[tokio::test]
async fn memory_and_files() {
    let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
    store
        .put(&"a/b.b2nd".into(), frame(&numbers()).into())
        .await
        .unwrap();
    check(
        &ObjectArray::open(Arc::clone(&store), "a/b.b2nd")
            .await
            .unwrap(),
    )
    .await;
    let missing = ObjectArray::open(store, "a/c.b2nd").await;
    assert!(matches!(
        missing,
        Err(Error::Store(object_store::Error::NotFound { .. }))
    ));

    let dir = std::env::temp_dir().join(format!("oxiblosc-object-store-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("b.b2nd"), frame(&numbers())).unwrap();
    let store = LocalFileSystem::new_with_prefix(&dir).unwrap();
    check(&ObjectArray::open(Arc::new(store), "b.b2nd").await.unwrap()).await;
    std::fs::remove_dir_all(&dir).unwrap();
}

fn http(server: &Server) -> Arc<dyn ObjectStore> {
    let builder = HttpBuilder::new()
        .with_url(server.url())
        .with_client_options(ClientOptions::new().with_allow_http(true));
    Arc::new(builder.build().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn over_http_in_few_requests() {
    let server = Server::start(frame(&numbers()), Duration::ZERO).await;
    let array = ObjectArray::open(http(&server), "x.b2nd").await.unwrap();
    assert_eq!((array.traffic().rounds, server.requests()), (1, 2));
    check(&array).await;
    // Many tasks on one array.
    let array = Arc::new(array);
    let tasks: Vec<_> = (0..16_usize)
        .map(|n| {
            let array = Arc::clone(&array);
            tokio::spawn(async move {
                array
                    .slice::<i32>((i64::try_from(20 * n).unwrap(), ..))
                    .await
                    .unwrap()
            })
        })
        .collect();
    for (n, task) in tasks.into_iter().enumerate() {
        let row = 20 * n * 300;
        assert_eq!(task.await.unwrap(), numbers()[row..row + 300]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_cache_every_read_fetches() {
    let server = Server::start(frame(&numbers()), Duration::ZERO).await;
    let options = OpenOptions::new().cache_bytes(0);
    let options = options.policy(ReadPolicy::from_latency(0.0, 0.0, 1));
    let array = options.open(http(&server), "x.b2nd").await.unwrap();
    for _ in 0..2 {
        let before = array.traffic();
        let _ = array.slice::<i32>((7, 7)).await.unwrap();
        let after = array.traffic();
        assert!(after.rounds - before.rounds <= 2 && after.requests > before.requests);
        assert!(after.nbytes - before.nbytes < 10_000);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_object_that_changes_is_an_error() {
    let server = Server::start(frame(&numbers()), Duration::ZERO).await;
    let options = OpenOptions::new().cache_bytes(0);
    let array = options.open(http(&server), "x.b2nd").await.unwrap();
    let others: Vec<i32> = numbers().iter().map(|n| n ^ 1).collect();
    server.replace(frame(&others));
    let found = array.slice::<i32>(..).await;
    let refused = matches!(
        found,
        Err(Error::Store(object_store::Error::Precondition { .. }))
    );
    assert!(refused, "{found:?}");
}

#[tokio::test]
async fn results_meet_the_limit_before_memory_is_taken() {
    let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
    let bytes = frame(&numbers());
    store.put(&"a.b2nd".into(), bytes.into()).await.unwrap();
    let limits = Limits::UNTRUSTED.max_alloc(4_799);
    let open = OpenOptions::new().limits(limits);
    let array = open.open(store, "a.b2nd").await.unwrap();
    let refused = |found: Option<Error>| match found {
        Some(Error::Array(error)) => error.to_string().contains("max_alloc"),
        _ => false,
    };
    // Four rows of 1200 bytes.
    let before = array.traffic().requests;
    assert!(refused(array.slice::<i32>((..4, ..)).await.err()));
    assert!(refused(array.slice_bytes((..4, ..)).await.err()));
    assert!(matches!(
        array.slice::<f32>((..3, ..)).await,
        Err(Error::Array(_))
    ));
    assert_eq!(array.traffic().requests, before);
    assert_eq!(
        array.slice::<i32>((..3, ..)).await.unwrap(),
        numbers()[..900]
    );
}

#[tokio::test]
async fn no_frames() {
    let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
    let mut short = frame(&numbers());
    short.pop();
    for bytes in [b"not a frame".to_vec(), Vec::new(), short] {
        store.put(&"x".into(), bytes.into()).await.unwrap();
        assert!(
            ObjectArray::open(Arc::clone(&store), Path::from("x"))
                .await
                .is_err()
        );
    }
}
