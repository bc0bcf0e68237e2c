//! The parameters of C as those of the library below.

use std::ffi::{CStr, c_void};
use std::sync::Arc;
use std::sync::atomic::AtomicPtr;

use oxiblosc::{CParams, CodecId, DParams, FilterId, FilterSlot, Limits, Registry, SplitMode};

use super::hooks;
use crate::abi::{
    BLOSC2_ERROR_CODEC_PARAM, BLOSC2_ERROR_CODEC_SUPPORT, BLOSC2_ERROR_FILTER_PIPELINE,
    blosc2_context, blosc2_cparams, blosc2_dparams, blosc2_metalayer, blosc2_schunk,
};
use crate::boundary::{Answer, Code};
use crate::{global, registry};

/// The arguments of the caller's codecs and filters besides the data.
#[derive(Debug, Default)]
pub(crate) struct Call {
    pub(crate) cparams: blosc2_cparams,
    pub(crate) dparams: blosc2_dparams,
    /// The chunk of the call that is running; null between calls.
    pub(crate) chunk: AtomicPtr<u8>,
}

// SAFETY: the pointers in the parameters are handed to the caller's functions, which C calls on
// several threads, too.
unsafe impl Send for Call {}
// SAFETY: as above; nothing that the pointers name is used through a shared reference.
unsafe impl Sync for Call {}

/// The parameters for compression, and what callbacks see of them.
///
/// # Errors
/// `CODEC_PARAM` for a level above 9 and a dictionary with a codec that has none, `CODEC_SUPPORT`
/// for a codec that no one has, `INVALID_PARAM` for other impossible numbers.
///
/// # Safety
/// `cparams.schunk` is null or a super-chunk, and `cparams.preparams` null or valid.
pub(crate) unsafe fn core_cparams(
    cparams: &blosc2_cparams,
    ctx: *mut blosc2_context,
) -> Answer<(CParams, Arc<Call>)> {
    if cparams.clevel > 9 {
        return Err(Code(BLOSC2_ERROR_CODEC_PARAM));
    }
    if cparams.use_dict != 0 && !matches!(cparams.compcode, 1 | 2 | 5) {
        return Err(Code(BLOSC2_ERROR_CODEC_PARAM));
    }
    // The codecs from 36 on that have a name are in plugins, which this library does not load.
    if registry::name_of(cparams.compcode).is_none() || (36..160).contains(&cparams.compcode) {
        return Err(Code(BLOSC2_ERROR_CODEC_SUPPORT));
    }
    for id in cparams.filters {
        if id >= 37 && !registry::has_filter(id) {
            return Err(Code(BLOSC2_ERROR_FILTER_PIPELINE));
        }
    }
    let typesize = usize::try_from(cparams.typesize)?;
    if typesize == 0 {
        return Err(Code::INVALID);
    }
    let call = Arc::new(Call {
        cparams: *cparams,
        dparams: blosc2_dparams {
            schunk: cparams.schunk,
            typesize: cparams.typesize,
            ..blosc2_dparams::default()
        },
        chunk: AtomicPtr::default(),
    });
    let split = match u8::try_from(cparams.splitmode) {
        // A part of the floats is no array.
        _ if is_zfp(cparams) => Some(SplitMode::Never),
        Ok(split) => SplitMode::new(split),
        Err(_) => None,
    };
    let blocksize = usize::try_from(cparams.blocksize)?;
    let mut core = CParams::new(typesize)
        .codec(CodecId::new(cparams.compcode))
        .codec_meta(cparams.compcode_meta)
        .clevel(cparams.clevel)
        .filter_slots(slots(cparams))
        .split_mode(split.unwrap_or(SplitMode::ForwardCompat))
        .blocksize((blocksize > 0).then_some(blocksize))
        .use_dict(cparams.use_dict != 0)
        .threads(global::policy(cparams.nthreads)?);
    if let Some(registry) = own_codecs(&call)? {
        core = core.registry(registry);
    }
    if shaped(cparams.compcode, &cparams.filters) {
        // SAFETY: null or a super-chunk by the caller's promise.
        core.b2nd = unsafe { array_metalayer(cparams.schunk) };
    }
    if let Some(prefilter) = cparams.prefilter {
        // SAFETY: null or valid by the caller's promise.
        core = unsafe { hooks::prefilter(core, prefilter, cparams, ctx) };
    }
    Ok((core, call))
}

/// The parameters for decompression, and what callbacks see of them.
///
/// # Errors
/// When threads cannot be started.
///
/// # Safety
/// `dparams.schunk` is null or a super-chunk, and `dparams.postparams` null or valid.
pub(crate) unsafe fn core_dparams(
    dparams: &blosc2_dparams,
    ctx: *mut blosc2_context,
) -> Answer<(DParams, Arc<Call>)> {
    let call = Arc::new(Call {
        cparams: blosc2_cparams {
            schunk: dparams.schunk,
            ..blosc2_cparams::default()
        },
        dparams: *dparams,
        chunk: AtomicPtr::default(),
    });
    let mut core = DParams::new()
        .limits(Limits::FORMAT)
        .threads(global::policy(dparams.nthreads)?);
    if let Some(registry) = own_codecs(&call)? {
        core = core.registry(registry);
    }
    // Chunks say which codec they have, so the metalayer is there for those that need it.
    // SAFETY: null or a super-chunk by the caller's promise.
    core.b2nd = unsafe { array_metalayer(dparams.schunk) };
    if let Some(postfilter) = dparams.postfilter {
        // SAFETY: null or valid by the caller's promise.
        core = unsafe { hooks::postfilter(core, postfilter, dparams, ctx) };
    }
    Ok((core, call))
}

/// The slots of the pipeline. In front of zfp, filters that rearrange bytes are left out: the
/// original applies them, the default shuffle too, and nothing of the floats comes back.
pub(crate) fn slots(cparams: &blosc2_cparams) -> [FilterSlot; 6] {
    const REARRANGING: [FilterId; 4] = [
        FilterId::SHUFFLE,
        FilterId::BITSHUFFLE,
        FilterId::DELTA,
        FilterId::BYTEDELTA,
    ];
    let is_zfp = is_zfp(cparams);
    let mut slots = [FilterSlot::new(FilterId::NONE, 0); 6];
    let given = cparams.filters.iter().zip(&cparams.filters_meta);
    for (slot, (id, meta)) in slots.iter_mut().zip(given) {
        let id = FilterId::new(*id);
        if !(is_zfp && REARRANGING.contains(&id)) {
            *slot = FilterSlot::new(id, *meta);
        }
    }
    slots
}

/// Whether the codec is zfp, in one of its modes.
fn is_zfp(cparams: &blosc2_cparams) -> bool {
    (33..=35).contains(&cparams.compcode)
}

/// Whether codec or filters need the shape of an array.
fn shaped(compcode: u8, filters: &[u8; 6]) -> bool {
    (32..=35).contains(&compcode) || filters.iter().any(|id| matches!(id, 32 | 33))
}

/// The codecs and filters that were registered; none if there are none.
fn own_codecs(call: &Arc<Call>) -> Answer<Option<Arc<Registry>>> {
    registry::for_call(call)
}

/// The content of the metalayer `b2nd` of a super-chunk.
///
/// # Safety
/// `schunk` is null or a super-chunk, whose metalayers no one changes during the call.
unsafe fn array_metalayer(schunk: *mut c_void) -> Option<Arc<[u8]>> {
    let schunk = schunk.cast::<blosc2_schunk>().cast_const();
    if schunk.is_null() {
        return None;
    }
    // SAFETY: a super-chunk by the caller's promise; the place of a field, without a reference.
    let place = unsafe { &raw const (*schunk).nmetalayers };
    // SAFETY: a field of a super-chunk, which is initialised.
    let count = usize::from(unsafe { place.read() });
    // SAFETY: as for the number of metalayers.
    let place = unsafe { &raw const (*schunk).metalayers };
    // SAFETY: as for the number of metalayers.
    let metalayers = unsafe { place.read() };
    for metalayer in metalayers.iter().take(count) {
        // SAFETY: the first `count` entries are metalayers, by the caller's promise.
        let Some(metalayer) = (unsafe { metalayer.as_ref() }) else {
            continue;
        };
        // SAFETY: one of the super-chunk, whose name and content are valid.
        if let Some(content) = unsafe { content_of_array(metalayer) } {
            return Some(content);
        }
    }
    None
}

/// The content of a metalayer, if it is that of an array.
///
/// # Safety
/// The name is null or a C string, the content null or as long as stated.
unsafe fn content_of_array(metalayer: &blosc2_metalayer) -> Option<Arc<[u8]>> {
    if metalayer.name.is_null() {
        return None;
    }
    // SAFETY: not null; a C string by the caller's promise.
    let name = unsafe { CStr::from_ptr(metalayer.name) };
    if name != c"b2nd" && name != c"caterva" {
        return None;
    }
    // SAFETY: null or as long as stated, by the caller's promise.
    let content = unsafe {
        crate::boundary::bytes(metalayer.content.cast_const().cast(), metalayer.content_len)
    };
    content.ok().map(Arc::from)
}

/// Whether a filter of the pipeline is unknown; C refuses such a context when it is created, for
/// the ids that are the library's own.
pub(super) fn unknown_filter(filters: &[u8; 6]) -> Answer<()> {
    for id in filters {
        if (5..32).contains(id) || ((37..160).contains(id) && !registry::has_filter(*id)) {
            return Err(Code(BLOSC2_ERROR_FILTER_PIPELINE));
        }
    }
    Ok(())
}
