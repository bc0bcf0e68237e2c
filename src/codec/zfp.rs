//! ZFP with a fixed accuracy, precision or rate, for blocks of floats
//! ([format §7.8](crate::format#7.8)). Lossy.
//!
//! The stream has no header: the shape of a block is in the `b2nd` metalayer, the type of the
//! values follows from the typesize, and the meta byte is the parameter of the mode.

use oxiblosc_kernels::zfp::{self, Float, Precision};

use super::shape::Shape;
use super::{Codec, CodecContext, CodecId, StreamDecoder, StreamEncoder, shape};
use crate::error::BoxError;

/// The most dimensions.
const MAX_NDIM: usize = 4;
/// The least length of a block along each dimension, as C-Blosc2 requires.
const MIN_LEN: usize = 4;

/// ZFP in one of its modes.
#[derive(Debug)]
pub(crate) enum Zfp {
    /// The meta byte, a signed number, is the exponent of the tolerance, a power of ten.
    Accuracy,
    /// The meta byte is a number of bit planes, to which 5, 7, 9 or 11 are added for 1 to 4
    /// dimensions.
    Precision,
    /// The meta byte is the percentage of the original bits.
    Rate,
}

/// How streams are coded.
struct Coding {
    precision: Precision,
    float: Float,
    shape: Shape,
    typesize: usize,
}

impl Zfp {
    fn coding(&self, cx: &CodecContext<'_>) -> Result<Coding, BoxError> {
        let float = match cx.typesize {
            4 => Float::F32,
            8 => Float::F64,
            other => {
                return Err(format!("floats have 4 or 8 bytes, the typesize is {other}").into());
            }
        };
        let shape = shape::blockshape(cx)?;
        let ndim = shape.lens().len();
        if !(1..=MAX_NDIM).contains(&ndim) {
            return Err(format!("blocks of {ndim} dimensions; allowed are 1 to {MAX_NDIM}").into());
        }
        let guard = u32::try_from(2 * ndim + 3)?;
        Ok(Coding {
            precision: match self {
                Self::Accuracy => Precision::accuracy(cx.meta.cast_signed()),
                Self::Precision => Precision::planes(u32::from(cx.meta) + guard),
                Self::Rate => Precision::rate(cx.meta, float, ndim),
            },
            float,
            shape,
            typesize: cx.typesize,
        })
    }
}

impl Codec for Zfp {
    fn id(&self) -> CodecId {
        match self {
            Self::Accuracy => CodecId::ZFP_ACC,
            Self::Precision => CodecId::ZFP_PREC,
            Self::Rate => CodecId::ZFP_RATE,
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::Accuracy => "zfp_acc",
            Self::Precision => "zfp_prec",
            Self::Rate => "zfp_rate",
        }
    }

    fn encoder(&self, cx: &CodecContext<'_>) -> Result<Box<dyn StreamEncoder>, BoxError> {
        super::no_dict(cx)?;
        let coding = self.coding(cx)?;
        if let Some(short) = coding.shape.lens().iter().find(|&&len| len < MIN_LEN) {
            return Err(format!(
                "a block has {short} items along a dimension; zfp needs {MIN_LEN} at least"
            )
            .into());
        }
        Ok(Box::new(coding))
    }

    fn decoder(&self, cx: &CodecContext<'_>) -> Result<Box<dyn StreamDecoder>, BoxError> {
        Ok(Box::new(self.coding(cx)?))
    }
}

impl StreamEncoder for Coding {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError> {
        let shape = self.shape.lens();
        shape::fits(shape, self.typesize, src.len())?;
        Ok(zfp::encode(&self.precision, self.float, shape, src, dst))
    }
}

impl StreamDecoder for Coding {
    fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        let shape = self.shape.lens();
        shape::fits(shape, self.typesize, dst.len())?;
        Ok(zfp::decode(&self.precision, self.float, shape, src, dst)?)
    }
}
