//! The `oxiblosc` command.
fn main() {}
