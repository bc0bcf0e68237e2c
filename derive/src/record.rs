//! The implementation of the trait for a struct.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Expr, Fields, Result, Type};

use crate::attributes::{of_field, of_struct};

pub(crate) fn implement(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new(
            input.ident.span(),
            "only structs are records; `Element` is implemented by hand for other types",
        ));
    };
    if !input.generics.params.is_empty() {
        return Err(Error::new(
            input.generics.span(),
            "a record has one dtype, so it has no parameters",
        ));
    }
    let attributes = of_struct(&input.attrs)?;
    let (name, oxiblosc) = (&input.ident, &attributes.oxiblosc);
    let fields = fields(name, &data.fields, oxiblosc)?;
    let bytes = if attributes.checked {
        quote!(::core::option::Option::None)
    } else {
        quote!(::core::option::Option::Some(#oxiblosc::bytemuck::cast_slice_mut(elements)))
    };
    Ok(quote! {
        #[automatically_derived]
        impl #oxiblosc::b2nd::Element for #name {
            const KIND: #oxiblosc::b2nd::DtypeKind = #oxiblosc::b2nd::DtypeKind::Structured;

            fn dtype() -> #oxiblosc::b2nd::Dtype {
                #oxiblosc::b2nd::Dtype::record(::core::mem::size_of::<Self>(), &[#(#fields),*])
            }

            #[allow(unused_variables, reason = "types that are checked have no bytes to overwrite")]
            fn as_bytes_mut(
                elements: &mut [Self],
            ) -> ::core::option::Option<&mut [::core::primitive::u8]> {
                #bytes
            }
        }
    })
}

/// The fields as `Dtype::record` takes them.
fn fields(record: &syn::Ident, fields: &Fields, oxiblosc: &syn::Path) -> Result<Vec<TokenStream>> {
    let Fields::Named(fields) = fields else {
        return Err(Error::new(record.span(), "a record has fields with names"));
    };
    let mut parts = Vec::new();
    for field in &fields.named {
        let attributes = of_field(&field.attrs)?;
        let Some(ident) = field.ident.as_ref().filter(|_| !attributes.padding) else {
            continue;
        };
        let name = attributes
            .rename
            .unwrap_or_else(|| ident.unraw().to_string());
        if name.is_empty() {
            return Err(Error::new(
                ident.span(),
                "an empty name means padding in NumPy",
            ));
        }
        let (inner, lens) = array(&field.ty);
        parts.push(quote_spanned! {inner.span()=> (
            #name,
            ::core::mem::offset_of!(#record, #ident),
            <#inner as #oxiblosc::b2nd::Element>::dtype(),
            &[#(#lens),*],
        )});
    }
    if parts.is_empty() {
        return Err(Error::new(record.span(), "a record has at least one field"));
    }
    Ok(parts)
}

/// The element of an array, and its lengths from the outside in.
fn array(mut field: &Type) -> (&Type, Vec<&Expr>) {
    let mut lens = Vec::new();
    loop {
        match field {
            Type::Array(array) => {
                lens.push(&array.len);
                field = &array.elem;
            }
            Type::Paren(inner) => field = &inner.elem,
            Type::Group(inner) => field = &inner.elem,
            inner => return (inner, lens),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The code or the error for a struct in this text.
    fn derived(text: &str) -> String {
        let input = syn::parse_str::<DeriveInput>(text).unwrap();
        match implement(&input) {
            Ok(code) => code.to_string().split_whitespace().collect(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn fields_are_listed_with_their_lengths() {
        let code = derived("#[repr(C, packed(2))] struct A { a: u8, r#type: [[f32; N + 1]; 2] }");
        let places = [
            "(\"a\",::core::mem::offset_of!(A,a),<u8as::oxiblosc::b2nd::Element>::dtype(),&[],)",
            "(\"type\",::core::mem::offset_of!(A,r#type),\
             <f32as::oxiblosc::b2nd::Element>::dtype(),&[2,N+1],)",
        ];
        for place in places {
            assert!(code.contains(place), "{place} in {code}");
        }
        assert!(code.contains("cast_slice_mut"), "{code}");
        let code = derived("#[repr(C)] #[element(checked, crate = \"b::c\")] struct A { a: bool }");
        assert!(code.contains("<boolasb::c::b2nd::Element>"), "{code}");
        assert!(!code.contains("cast_slice_mut"), "{code}");
    }

    #[test]
    fn other_types_are_refused_with_the_reason() {
        for (text, reason) in [
            ("struct A { a: u8 }", "#[repr(C)]"),
            ("#[repr(align(8))] struct A { a: u8 }", "#[repr(C)]"),
            ("#[repr(C)] enum A { B }", "only structs"),
            ("#[repr(C)] union A { a: u8 }", "only structs"),
            ("#[repr(C)] struct A(u8);", "fields with names"),
            ("#[repr(C)] struct A {}", "at least one field"),
            (
                "#[repr(C)] struct A { #[element(padding)] a: u8 }",
                "at least one field",
            ),
            ("#[repr(C)] struct A<T> { a: T }", "no parameters"),
            (
                "#[repr(C)] struct A { #[element(name = \"b\")] a: u8 }",
                "expected `rename",
            ),
            (
                "#[repr(C)] struct A { #[element(rename = \"\")] a: u8 }",
                "empty name",
            ),
            (
                "#[repr(C)] #[element(chequed)] struct A { a: u8 }",
                "expected `checked`",
            ),
        ] {
            let found = derived(text);
            assert!(found.contains(reason), "{text}: {found}");
        }
    }
}
