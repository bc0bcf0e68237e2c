//! One object over HTTP on the loopback: ranges, entity tags, and a latency for each request.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// A running server.
pub(crate) struct Server {
    shared: Arc<Shared>,
    port: u16,
}

struct Shared {
    object: Mutex<(Arc<Vec<u8>>, u64)>,
    requests: AtomicU64,
    latency: Duration,
}

impl Server {
    pub(crate) async fn start(object: Vec<u8>, latency: Duration) -> Self {
        let shared = Arc::new(Shared {
            object: Mutex::new((Arc::new(object), 1)),
            requests: AtomicU64::new(0),
            latency,
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let of_tasks = Arc::clone(&shared);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                // Head and body are two writes: the second must not wait for an acknowledgement.
                let _ = stream.set_nodelay(true);
                tokio::spawn(serve(Arc::clone(&of_tasks), stream));
            }
        });
        Self { shared, port }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn requests(&self) -> u64 {
        self.shared.requests.load(Ordering::Relaxed)
    }

    pub(crate) fn replace(&self, object: Vec<u8>) {
        let mut held = self.shared.object.lock().unwrap();
        *held = (Arc::new(object), held.1 + 1);
    }
}

/// Answers the requests of one connection.
async fn serve(shared: Arc<Shared>, stream: TcpStream) {
    let mut stream = BufReader::new(stream);
    loop {
        let (mut range, mut if_match, mut method) = (None, None, None);
        loop {
            let mut line = String::new();
            if !matches!(stream.read_line(&mut line).await, Ok(1..)) {
                return;
            }
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            method.get_or_insert_with(|| line.split(' ').next().unwrap_or("").to_owned());
            if let Some((name, value)) = line.split_once(": ") {
                match name.to_ascii_lowercase().as_str() {
                    "range" => range = value.strip_prefix("bytes=").map(str::to_owned),
                    "if-match" => if_match = Some(value.to_owned()),
                    _ => {}
                }
            }
        }
        shared.requests.fetch_add(1, Ordering::Relaxed);
        tokio::time::sleep(shared.latency).await;
        let (object, version) = shared.object.lock().unwrap().clone();
        let etag = format!("\"{version}\"");
        let len = object.len();
        let place = match range.as_deref().and_then(|range| range.split_once('-')) {
            Some(("", tail)) => len.saturating_sub(tail.parse().unwrap())..len,
            Some((start, "")) => start.parse().unwrap()..len,
            Some((start, end)) => {
                let end = end.parse::<usize>().unwrap() + 1;
                start.parse().unwrap()..end.min(len)
            }
            None => 0..len,
        };
        let (status, body) = match &if_match {
            Some(tag) if *tag != etag => ("412 Precondition Failed", &[][..]),
            _ if range.is_some() => ("206 Partial Content", &object[place.clone()]),
            _ => ("200 OK", &object[..]),
        };
        let content_range = match status.starts_with("206") {
            true => format!(
                "Content-Range: bytes {}-{}/{len}\r\n",
                place.start,
                place.end - 1
            ),
            false => String::new(),
        };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Length: {}\r\nETag: {etag}\r\n\
             Last-Modified: Mon, 02 Nov 2026 10:00:00 GMT\r\nAccept-Ranges: bytes\r\n\
             {content_range}\r\n",
            body.len(),
        );
        let body = if method.as_deref() == Some("HEAD") {
            &[]
        } else {
            body
        };
        if stream.write_all(head.as_bytes()).await.is_err() || stream.write_all(body).await.is_err()
        {
            return;
        }
    }
}
