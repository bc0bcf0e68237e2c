//! Requests, rounds, bytes and time of some reads of an array over HTTP, with a latency for each
//! request.
//!
//! ```text
//! cargo run --release --example requests -- FILE.b2nd 20
//! ```
//! With a third argument the server alone runs, for other clients; each line of its input prints
//! the number of requests since the last one.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "an example for the command line"
)]

#[path = "../tests/server/mod.rs"]
mod server;

use std::io::BufRead;
use std::sync::Arc;
use std::time::{Duration, Instant};

use object_store::http::HttpBuilder;
use object_store::{ClientOptions, ObjectStore};
use oxiblosc::b2nd::Selection;
use oxiblosc_object_store::{OpenOptions, ReadPolicy};
use server::Server;

type Reads = [(&'static str, fn() -> Selection<'static>); 6];

const READS: Reads = [
    ("element", || (1500, 1500).into()),
    ("row", || (1500, ..).into()),
    ("column", || (.., 1500).into()),
    ("box 64", || (992..1056, 992..1056).into()),
    ("box 512", || (700..1212, 700..1212).into()),
    ("all", || (..).into()),
];

#[tokio::main]
async fn main() {
    // Of the tests alone.
    let _ = Server::replace;
    let args: Vec<String> = std::env::args().collect();
    let latency: u64 = args.get(2).map_or(20, |text| text.parse().unwrap());
    let object = std::fs::read(&args[1]).unwrap();
    let server = Server::start(object, Duration::from_millis(latency)).await;
    if args.len() > 3 {
        println!("{}", server.url());
        let mut before = 0;
        for _ in std::io::stdin().lock().lines() {
            println!("{}", server.requests() - before);
            before = server.requests();
        }
        return;
    }
    let client = ClientOptions::new().with_allow_http(true);
    let builder = HttpBuilder::new().with_url(server.url());
    let store: Arc<dyn ObjectStore> =
        Arc::new(builder.with_client_options(client).build().unwrap());
    println!("read     requests rounds    KiB     ms");
    let mut rows = vec![("open", None)];
    rows.extend(READS.map(|(name, selection)| (name, Some(selection))));
    for (name, selection) in rows {
        let mut times = Vec::new();
        let mut last = None;
        for _ in 0..5 {
            let policy =
                ReadPolicy::from_latency(Duration::from_millis(latency).as_secs_f64(), 200e6, 16);
            let options = OpenOptions::new().cache_bytes(0).policy(policy);
            let start = Instant::now();
            let array = options.open(Arc::clone(&store), "x.b2nd").await.unwrap();
            let opened = array.traffic();
            let Some(selection) = selection else {
                times.push(start.elapsed());
                last = Some((opened.requests, opened.rounds, opened.nbytes));
                continue;
            };
            let start = Instant::now();
            let _ = array.slice_bytes(selection()).await.unwrap();
            times.push(start.elapsed());
            let now = array.traffic();
            last = Some((
                now.requests - opened.requests,
                now.rounds - opened.rounds,
                now.nbytes - opened.nbytes,
            ));
        }
        times.sort_unstable();
        let (requests, rounds, nbytes) = last.unwrap();
        let ms = times[2].as_secs_f64() * 1e3;
        println!(
            "{name:8} {requests:8} {rounds:6} {:6} {ms:6.0}",
            nbytes >> 10
        );
    }
}
