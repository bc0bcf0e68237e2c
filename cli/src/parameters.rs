//! The parameters of what is written, from the command line.

use oxiblosc::frame::Durability;
use oxiblosc::{CParams, Threads};

use crate::args::CompressArgs;
use crate::failure::{Failure, shown};
use crate::progress::detail;
use crate::threads::threads;

/// Parameters as the command line asks for; what it leaves open is as in `base`.
pub(crate) fn cparams(args: &CompressArgs, base: CParams) -> Result<CParams, Failure> {
    let typesize = u32::try_from(base.typesize).unwrap_or(u32::MAX);
    args.encoding.warn(typesize);
    let cparams = args.encoding.apply(base).threads(threads(&args.threads)?);
    detail(&format!(
        "{}: {:?}",
        shown(&args.input),
        cparams.clone().threads(Threads::Serial)
    ));
    Ok(cparams)
}

/// The files of a sparse frame are synced by the frame; a single file is synced at the end.
pub(crate) fn durability(args: &CompressArgs) -> Durability {
    if args.sparse {
        Durability::Full
    } else {
        Durability::None
    }
}

/// A number of bytes as one of memory.
pub(crate) fn to_usize(value: u64) -> Result<usize, Failure> {
    usize::try_from(value)
        .map_err(|_| Failure::usage(format!("{value} bytes are too many for this machine")))
}
