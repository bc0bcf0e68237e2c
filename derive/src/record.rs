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
