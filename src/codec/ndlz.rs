//! NDLZ, for blocks of two axes of bytes ([format §7.7](crate::format#7.7)).
//!
//! The meta byte is the side of a cell, 4 or 8. The stream states the shape of the block, so that
//! decoding needs no metalayer; encoding takes the shape from it.

use oxiblosc_kernels::ndlz::{self, Side};

use super::{Codec, CodecContext, CodecId, StreamDecoder, StreamEncoder, filled, shape};
use crate::error::BoxError;

/// NDLZ.
#[derive(Debug)]
pub(crate) struct Ndlz;

/// The side of a cell.
fn side(cx: &CodecContext<'_>) -> Result<Side, BoxError> {
    match cx.meta {
        4 => Ok(Side::Four),
        8 => Ok(Side::Eight),
        meta => {
            Err(format!("the meta byte, the side of a cell, is {meta}; it must be 4 or 8").into())
        }
    }
}

impl Codec for Ndlz {
    fn id(&self) -> CodecId {
        CodecId::NDLZ
    }

    fn name(&self) -> &str {
        "ndlz"
    }

    fn encoder(&self, cx: &CodecContext<'_>) -> Result<Box<dyn StreamEncoder>, BoxError> {
        super::no_dict(cx)?;
        let side = side(cx)?;
        if cx.typesize != 1 {
            return Err(format!(
                "ndlz is for items of 1 byte, the typesize is {}",
                cx.typesize
            )
            .into());
        }
        let shape = shape::blockshape(cx)?;
        let &[rows, columns] = shape.lens() else {
            let found = shape.lens().len();
            return Err(
                format!("ndlz is for blocks of 2 dimensions, the array has {found}").into(),
            );
        };
        Ok(Box::new(Encoder {
            side,
            shape: [rows, columns],
            inner: ndlz::Encoder::new(),
        }))
    }

    fn decoder(&self, cx: &CodecContext<'_>) -> Result<Box<dyn StreamDecoder>, BoxError> {
        Ok(Box::new(Decoder(side(cx)?)))
    }
}

struct Encoder {
    side: Side,
    shape: [usize; 2],
    inner: ndlz::Encoder,
}

impl StreamEncoder for Encoder {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError> {
        shape::fits(&self.shape, 1, src.len())?;
        Ok(self.inner.encode(self.side, self.shape, src, dst))
    }
}

struct Decoder(Side);

impl StreamDecoder for Decoder {
    fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        filled(ndlz::decode(self.0, src, dst)?, dst.len())
    }
}
