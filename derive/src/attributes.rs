//! The attributes `#[element(...)]`.

use syn::{Attribute, Error, LitStr, Path, Result, parse_quote};

/// Those of the struct.
pub(crate) struct OfStruct {
    pub(crate) checked: bool,
    pub(crate) oxiblosc: Path,
}

/// Those of a field.
#[derive(Default)]
pub(crate) struct OfField {
    pub(crate) rename: Option<String>,
    pub(crate) padding: bool,
}

pub(crate) fn of_struct(attributes: &[Attribute]) -> Result<OfStruct> {
    let mut found = OfStruct {
        checked: false,
        oxiblosc: parse_quote!(::oxiblosc),
    };
    let mut fixed = false;
    for attribute in attributes {
        if attribute.path().is_ident("repr") {
            attribute.parse_nested_meta(|meta| {
                fixed |= meta.path.is_ident("C") || meta.path.is_ident("transparent");
                if meta.input.peek(syn::token::Paren) {
                    let content;
                    syn::parenthesized!(content in meta.input);
                    content.parse::<proc_macro2::TokenStream>()?;
                }
                Ok(())
            })?;
        }
        if attribute.path().is_ident("element") {
            attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("checked") {
                    found.checked = true;
                } else if meta.path.is_ident("crate") {
                    found.oxiblosc = meta.value()?.parse::<LitStr>()?.parse()?;
                } else {
                    return Err(meta.error("expected `checked` or `crate = \"path\"`"));
                }
                Ok(())
            })?;
        }
    }
    if fixed {
        return Ok(found);
    }
    Err(Error::new(
        proc_macro2::Span::call_site(),
        "an element needs #[repr(C)] or #[repr(transparent)]: its fields have places of their own \
         otherwise",
    ))
}

pub(crate) fn of_field(attributes: &[Attribute]) -> Result<OfField> {
    let mut found = OfField::default();
    let own = attributes.iter();
    for attribute in own.filter(|attribute| attribute.path().is_ident("element")) {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("rename") {
                found.rename = Some(meta.value()?.parse::<LitStr>()?.value());
            } else if meta.path.is_ident("padding") {
                found.padding = true;
            } else {
                return Err(meta.error("expected `rename = \"name\"` or `padding`"));
            }
            Ok(())
        })?;
    }
    Ok(found)
}
