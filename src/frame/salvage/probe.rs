//! Whether the bytes at a place are a whole chunk.

use std::collections::BTreeSet;

use super::bytes::Bytes;
use crate::chunk::{ChunkDecoder, ChunkHeader, ChunkView, HEADER_LEN, bstarts, bstarts_end};
use crate::error::{Error, ErrorKind, Missing, Part, Result};
use crate::frame::layout::seal::chunk_checksum;
use crate::num::{saturating_usize, to_u64};
use crate::params::DParams;
use crate::schunk::{MIN_CHUNK_LEN, metadata_decoder};
use crate::storage::ReadAt;

/// How sure it is that a recovered chunk is as it was written.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Proof {
    /// Its bytes fit their checksum in the seal of the frame: nothing has changed.
    Checksum,
    /// It decodes. Without a seal, a changed byte inside of stored data cannot be noticed.
    Decodes,
    /// Its header, block offsets and streams fit together; this build or these parameters lack the
    /// codec or filter to decode it.
    Structure,
}

/// The checksums in a seal.
#[derive(Debug)]
pub(super) struct Seal {
    pub(super) checksums: Vec<u64>,
    /// Whether the fingerprint confirms them.
    pub(super) is_intact: bool,
}

/// A whole chunk at a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) at: u64,
    pub(super) header: ChunkHeader,
    /// The end of the streams: less than `end` when bytes are left over.
    pub(super) used: u64,
    pub(super) proof: Proof,
    pub(super) checksum: u64,
}

impl Found {
    /// The place after the chunk.
    pub(super) fn end(&self) -> u64 {
        self.at.saturating_add(u64::from(self.header.cbytes))
    }
}

/// Looks for chunks in a storage, with a budget for what turns out to be none.
#[derive(Debug)]
pub(super) struct Prober<'a> {
    pub(super) bytes: Bytes<'a>,
    pub(super) dparams: &'a DParams,
    decoder: ChunkDecoder,
    data: Vec<u8>,
    budget: u64,
    /// The checksums of all chunks, when they are certain.
    sealed: Option<BTreeSet<u64>>,
}

impl<'a> Prober<'a> {
    pub(super) fn new(file: &'a dyn ReadAt, dparams: &'a DParams) -> Result<Self> {
        let bytes = Bytes::new(file, dparams.limits)?;
        Ok(Self {
            // Chunks that are whole cost what they cost; this is for all others.
            budget: bytes.len().saturating_mul(16).saturating_add(64 << 20),
            bytes,
            dparams,
            decoder: metadata_decoder(dparams, dparams.limits),
            data: Vec::new(),
            sealed: None,
        })
    }

    /// When a seal is certain, chunks without one of its checksums are damaged, although they may
    /// decode.
    pub(super) fn follow(&mut self, seal: Option<&Seal>) {
        self.sealed = seal
            .filter(|seal| seal.is_intact)
            .map(|seal| seal.checksums.iter().copied().collect());
    }

    /// Whether the budget is used up; nothing more is found by scanning then.
    pub(super) fn is_exhausted(&self) -> bool {
        self.budget == 0
    }

    /// Spends a part of the budget.
    pub(super) fn spend(&mut self, work: u64) {
        self.budget = self.budget.saturating_sub(work);
    }

    /// The chunk at `at`, which ends at `end` or before. `strict`: no index says that there is
    /// one, so it must look like what the known writers write.
    pub(super) fn probe(&mut self, at: u64, end: u64, strict: bool) -> Result<Found> {
        let room = end.saturating_sub(at);
        let front = self.bytes.get(at, room.min(HEADER_LEN as u64))?;
        if strict && !is_likely(front) {
            let rule = "there is no header of a chunk";
            return Err(Error::broken(Part::ChunkHeader, at, rule));
        }
        let header = ChunkHeader::parse(front).map_err(|error| error.rebase(at))?;
        let cbytes = u64::from(header.cbytes);
        if cbytes > room {
            return Err(Error::Truncated {
                part: Part::ChunksSection,
                offset: at,
                needed: cbytes,
                available: room,
            });
        }
        if cbytes < MIN_CHUNK_LEN || (strict && !has_likely_sizes(&header)) {
            let (least, most) = (MIN_CHUNK_LEN, u64::from(header.nbytes).saturating_add(32));
            let part = Part::ChunkHeader;
            let offset = at.saturating_add(12);
            return Err(Error::out_of_range(
                part, offset, "cbytes", cbytes, least, most,
            ));
        }
        let checked = self.check(at, header, strict);
        if let Err((work, _)) = &checked {
            self.spend(*work);
        }
        checked.map_err(|(_, error)| error.rebase(at))
    }

    /// Takes the chunk apart and decodes it; a failure states its cost.
    fn check(&mut self, at: u64, header: ChunkHeader, strict: bool) -> Result<Found, (u64, Error)> {
        let cbytes = u64::from(header.cbytes);
        let limits = self.dparams.limits;
        let chunk = self
            .bytes
            .get(at, cbytes)
            .map_err(|error| (0, error.rebase(0_u64.wrapping_sub(at))))?;
        let view = ChunkView::parse(chunk, &limits).map_err(|error| (cbytes, error))?;
        view.check_streams().map_err(|error| (cbytes, error))?;
        let used = used(&view, strict).map_err(|error| (cbytes, error))?;
        let work = cbytes.saturating_add(u64::from(header.nbytes));
        let mut proof = Proof::Decodes;
        if view.special().is_none() && view.memcpyed().is_none() {
            limits
                .check_alloc(u64::from(header.nbytes), Some(4))
                .map_err(|error| (cbytes, error))?;
            let nbytes = saturating_usize(header.nbytes);
            if self.data.len() < nbytes {
                self.data.resize(nbytes, 0);
            }
            if let Err(error) = self.decoder.decode_into(chunk, &mut self.data) {
                if !lacks_decoder(&error) {
                    return Err((work, error));
                }
                proof = Proof::Structure;
            }
        }
        let checksum = chunk_checksum(chunk);
        if self
            .sealed
            .as_ref()
            .is_some_and(|sealed| !sealed.contains(&checksum))
        {
            let rule = "the bytes do not fit a checksum of the seal";
            return Err((work, Error::broken(Part::ChunksSection, 0, rule)));
        }
        Ok(Found {
            at,
            header,
            used: at.saturating_add(used),
            proof,
            checksum,
        })
    }
}

/// Whether these bytes may begin a chunk: the fields that all known writers fill alike.
pub(super) fn is_likely(front: &[u8]) -> bool {
    let &[version, versionlz, flags, typesize, ..] = front else {
        return false;
    };
    // Version 1 is that of Blosc before 1.0, which wrote no frames.
    if !(2..=6).contains(&version) || versionlz != 1 || typesize == 0 {
        return false;
    }
    match front.get(16..HEADER_LEN) {
        Some(&[.., flags2, flags_b2]) if flags & 5 == 5 => {
            version > 2 && (version < 4 || flags2 & !1 == 0) && flags_b2 & 0x8C == 0
        }
        Some(_) => flags & 5 != 5 && flags >> 5 < 5,
        None => false,
    }
}

/// Whether the sizes are those of an encoder that gives up when a chunk grows.
fn has_likely_sizes(header: &ChunkHeader) -> bool {
    header.nbytes > 0
        && (header.is_vlblocks()
            || u64::from(header.cbytes) <= u64::from(header.nbytes).saturating_add(32)
            || header.nbytes < 32)
}

/// Whether a chunk is whole as far as can be seen, and only its decoder is missing.
fn lacks_decoder(error: &Error) -> bool {
    let missing = matches!(
        error,
        Error::Unsupported {
            what: Missing::Codec(_) | Missing::Filter(_),
            ..
        }
    );
    // Filters of arrays need the shape of the blocks, which may be lost.
    missing || error.kind() == ErrorKind::InvalidParam
}

/// The bytes of the chunk that its blocks use. `strict`: they leave no gap between them.
fn used(view: &ChunkView<'_>, strict: bool) -> Result<u64> {
    let header = view.header();
    let whole = u64::from(header.cbytes);
    let plain = view.special().is_some() || view.memcpyed().is_some();
    if plain || header.is_vlblocks() || view.nbytes() == 0 {
        return Ok(whole);
    }
    let nblocks = saturating_usize(view.nblocks());
    let end = bstarts_end(header.len(), nblocks).unwrap_or(usize::MAX);
    let table = view.as_bytes().get(header.len()..end).unwrap_or_default();
    let (mut first, mut last, mut total) = (whole, 0, 0_u64);
    for (block, start) in bstarts(table).enumerate() {
        let start = u64::try_from(start).unwrap_or_default();
        let end = to_u64(view.block_end(block)?);
        first = first.min(start);
        last = last.max(end);
        total = total.saturating_add(end.saturating_sub(start));
    }
    if strict && total != last.saturating_sub(first) {
        let part = Part::Bstarts;
        let field = "length of all blocks";
        let offset = to_u64(header.len());
        let extent = last.saturating_sub(first);
        return Err(Error::unequal(part, offset, field, total, extent));
    }
    Ok(last)
}
