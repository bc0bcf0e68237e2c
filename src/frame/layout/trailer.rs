//! The trailer of a frame ([format §9.5](crate::format#9.5)): what may change in length, and the
//! fingerprint.
//!
//! ```text
//! 94 | 01 | vlmetalayers section | ce trailer_len | d8 type | 16 bytes of fingerprint
//!                                  ^ the last 23 bytes always look like this
//! ```
//!
//! A trailer is found from the end: its length stands 22 bytes before the end of the frame.

use rmp::Marker;

use super::metadata;
use super::msgpack::{Fields, Put};
use crate::error::{Error, Part, Result};
use crate::schunk::{MAX_VLMETALAYERS, VlMetalayers, check_vlmetalayer_chunk};

/// The length of the end of a trailer, which has fixed places.
pub(crate) const TRAILER_END_LEN: usize = 23;
/// The shortest trailer that readers accept.
pub(crate) const MIN_TRAILER_LEN: u32 = 25;

/// The name of the variable-length metalayer with the checksums of the chunks.
pub const SEAL: &str = "oxiblosc.seal";
/// The fingerprint type of 128 bits, which seals have.
pub(crate) const SEAL_KIND: u8 = 3;

/// A fingerprint over the frame, as the trailer stores it.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Fingerprint {
    /// The type: 0 for none; 1, 2 and 3 for 32, 64 and 128 bits.
    pub kind: u8,
    /// The value, padded to the left. Of type 0, the number of times that the frame was compacted
    /// without a seal.
    pub value: [u8; 16],
}

/// The content of a trailer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trailer {
    pub(crate) vlmetalayers: VlMetalayers,
    pub(crate) fingerprint: Fingerprint,
}

/// Reads the length of the trailer, and the fingerprint, out of the last bytes of a frame;
/// `end` is where the frame ends.
pub(crate) fn parse_end(bytes: &[u8], end: u64) -> Result<(u32, Fingerprint)> {
    let base = end.saturating_sub(TRAILER_END_LEN as u64);
    let mut fields = Fields::new(Part::FrameTrailer, bytes, base);
    let trailer_len = fields.u32("trailer length marker")?;
    fields.marker("fingerprint marker", Marker::FixExt16)?;
    let kind = fields.u8()?;
    let value = fields.bytes(16)?.try_into().unwrap_or_default();
    Ok((trailer_len, Fingerprint { kind, value }))
}

impl Trailer {
    /// Parses a whole trailer that begins at `base`.
    pub(crate) fn parse(bytes: &[u8], base: u64) -> Result<Self> {
        let part = Part::FrameTrailer;
        let mut fields = Fields::new(part, bytes, base);
        fields.marker("number of trailer elements", Marker::FixArray(4))?;
        fields.u8()?;
        let mut fields = Fields::new(Part::VlMetalayers, bytes, base).at(fields.position());
        let max = u16::try_from(MAX_VLMETALAYERS).unwrap_or(u16::MAX);
        let (entries, used) = metadata::parse(&mut fields, Part::VlMetalayers, max)?;
        let end = bytes.len().saturating_sub(TRAILER_END_LEN);
        if used > end {
            let at = base.saturating_add(end as u64);
            return Err(Error::broken(
                part,
                at,
                "the vlmetalayers reach into the trailer's end",
            ));
        }
        let (_, fingerprint) = parse_end(
            bytes.get(end..).unwrap_or_default(),
            base.saturating_add(bytes.len() as u64),
        )?;
        let mut owned = Vec::with_capacity(entries.len());
        for (name, chunk) in entries {
            // The chunk borrows from `bytes`, so its place is known.
            let at = chunk.as_ptr().addr().saturating_sub(bytes.as_ptr().addr());
            check_vlmetalayer_chunk(chunk, base.saturating_add(at as u64))?;
            owned.push((name.into(), chunk.to_vec()));
        }
        Ok(Self {
            vlmetalayers: VlMetalayers::from_entries(owned),
            fingerprint,
        })
    }

    /// The trailer as bytes.
    pub(crate) fn write(&self) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        out.put_marker(Marker::FixArray(4));
        out.put_u8(1);
        metadata::write_trailer(&mut out, 0, self.vlmetalayers.iter())?;
        let len = out.len().saturating_add(TRAILER_END_LEN);
        let len = u32::try_from(len)
            .ok()
            .filter(|&len| i32::try_from(len).is_ok());
        let why = "the vlmetalayers pass 2 GiB";
        out.put_u32(len.ok_or(Error::Refused {
            what: "write the frame trailer",
            why,
        })?);
        out.put_marker(Marker::FixExt16);
        out.put_u8(self.fingerprint.kind);
        out.put_bytes(&self.fingerprint.value);
        Ok(out)
    }
}
