//! NDLZ: blocks of two axes of bytes, whose cells repeat rows of earlier cells.
//!
//! ```text
//! | 2 | rows | columns | cell | cell | ...     the shape in 32 bits, cells in row-major order
//!
//! cell  | token | distances | literal rows |         4 x 4 or 8 x 8 bytes, clipped at the edges
//!
//! 0x00                      all bytes follow; the only token of a clipped cell
//! 0x40 b                    all bytes are b
//! others                    one or two distances, then the rows that they do not fill
//! ```
//!
//! A distance, 16 bits, is counted from the token back to bytes of the stream, which are usually
//! literals of earlier cells.

mod decode;
mod encode;
mod layout;
mod tokens;

pub use decode::decode;
pub use encode::Encoder;
pub use layout::Side;
