//! `#[derive(Element)]` for the records of arrays; `oxiblosc` exports it with the feature `derive`.
#![forbid(unsafe_code)]

mod attributes;
mod record;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Derives `oxiblosc::b2nd::Element` for a struct, with its fields as a structured dtype of NumPy.
///
/// The struct is `#[repr(C)]`, `#[repr(C, packed)]` or `#[repr(transparent)]`, and derives
/// `bytemuck::Pod` and `bytemuck::Zeroable`. Each field is an element itself, or an array `[T; N]`
/// of elements (`[[T; M]; N]`, ...), which becomes a sub-array. `Pod` allows no hidden padding: pad
/// with a field that is marked so.
///
/// Attributes of a field:
///
/// - `#[element(rename = "name")]`: its name in the dtype, if it is not that of the field;
/// - `#[element(padding)]`: it is bytes between the fields, without a name.
///
/// Attributes of the struct:
///
/// - `#[element(checked)]`: some bytes are no value, as for `bool`. Instead of `Pod` the struct
///   derives `bytemuck::NoUninit`, `bytemuck::CheckedBitPattern` and `bytemuck::Zeroable`, and each
///   element is checked when it is read.
/// - `#[element(crate = "path")]`: the path of the crate `oxiblosc`, if it is another.
#[proc_macro_derive(Element, attributes(element))]
pub fn derive_element(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    record::implement(&input)
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}
