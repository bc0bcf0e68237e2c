//! Rows of an array over TCP: a client sends the number of a row, and receives its elements.
//!
//! Decoding is work for a processor, so each request runs on a thread of `spawn_blocking`; all of
//! them read the same array.

use std::io;
use std::sync::Arc;

use oxiblosc::b2nd::{Array, ArrayParams, ArrayReader};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

async fn serve(mut client: TcpStream, array: Arc<ArrayReader>) -> io::Result<()> {
    while let Ok(row) = client.read_u64_le().await {
        let array = Arc::clone(&array);
        let read = move || array.slice::<f64>((row..=row, ..));
        match tokio::task::spawn_blocking(read).await? {
            Ok(elements) => {
                let bytes: Vec<u8> = elements.into_iter().flat_map(f64::to_le_bytes).collect();
                client.write_u64_le(bytes.len() as u64).await?;
                client.write_all(&bytes).await?;
            }
            // A row that is not there.
            Err(_) => client.write_u64_le(0).await?,
        }
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::temp_dir().join("oxiblosc_tokio_server.b2nd");
    let table: Vec<f64> = (0..500_000).map(f64::from).collect();
    let params = ArrayParams::new::<f64>([1000, 500]).overwrite(true);
    Array::from_elements_in(&path, &table, &params)?;

    let array = Arc::new(Array::open(&path)?);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(serve(client, Arc::clone(&array)));
        }
    });

    let mut client = TcpStream::connect(address).await?;
    for (row, expected) in [(7, 4000), (1000, 0)] {
        client.write_u64_le(row).await?;
        let mut bytes = vec![0; usize::try_from(client.read_u64_le().await?)?];
        client.read_exact(&mut bytes).await?;
        println!("row {row}: {} bytes", bytes.len());
        assert_eq!(bytes.len(), expected);
    }
    Ok(())
}
