//! Element types as NumPy writes them ([format §11.1](crate::format#11.1)): `<f8`, `|u1`, `>i4`,
//! `|S5`, `<U3`, and descriptions of structured types as text.
//!
//! A file may carry any text here, and C-Blosc2 interprets none of it. So a [`Dtype`] keeps the
//! text unchanged, beside its meaning as far as it is understood: the kind, the byte order, the
//! item size and the fields.

mod check;
mod element;
mod equivalent;
mod kind;
mod literal;
mod simple;
mod structured;
mod swap;
mod text;

pub use element::Element;
pub(crate) use element::{fill_elements, stored_bytes};
pub use kind::{ByteOrder, DtypeKind};
pub use structured::Field;
pub(crate) use swap::Swap;
pub use text::Dtype;

#[cfg(test)]
mod tests;
