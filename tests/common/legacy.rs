//! Frames of the 2.0.0 betas, which nothing writes any more (format §9.9).

use oxiblosc::FilterId;
use oxiblosc::frame::FrameHeader;
use oxiblosc::schunk::Metalayers;

/// An old frame around chunks that are compressed already; `index` is the index chunk.
pub(crate) fn write_legacy(
    header: &FrameHeader,
    metalayers: &Metalayers,
    section: &[u8],
    index: &[u8],
    usermeta: &[u8],
) -> Vec<u8> {
    let mut out = vec![0x9D, 0xA8];
    out.extend(b"b2frame\0");
    int32(&mut out, 0);
    out.push(0xCF);
    out.extend([0; 8]);
    out.extend([0xA4, 0x21, 0, header.codec.get() | (header.clevel << 4), 0]);
    int64(&mut out, header.nbytes);
    int64(&mut out, section.len() as u64);
    int32(&mut out, u32::try_from(header.typesize).unwrap());
    int32(
        &mut out,
        u32::try_from(header.chunksize.unwrap_or(0)).unwrap(),
    );
    // One thread each way, no vlmetalayers.
    out.extend([0xD1, 0, 1, 0xD1, 0, 1, 0xC2]);
    let used = |slot: &&oxiblosc::FilterSlot| slot.id != FilterId::NONE;
    let active: Vec<_> = header.filters.iter().filter(used).collect();
    let (mut ids, mut metas) = ([0; 8], [0; 8]);
    for ((id, meta), slot) in ids.iter_mut().zip(&mut metas).zip(&active) {
        (*id, *meta) = (slot.id.get(), slot.meta);
    }
    out.extend([0xD8, u8::try_from(active.len()).unwrap()]);
    out.extend(ids);
    out.extend(metas);
    write_metalayers(&mut out, metalayers);
    let header_len = u32::try_from(out.len()).unwrap();
    out.extend(section);
    out.extend(index);
    let trailer = out.len();
    out.extend([0x94, 1, 0xC6]);
    out.extend(u32::try_from(usermeta.len()).unwrap().to_be_bytes());
    out.extend(usermeta);
    let trailer_len = u32::try_from(out.len() - trailer + 23).unwrap();
    out.push(0xCE);
    out.extend(trailer_len.to_be_bytes());
    out.push(0xD8);
    out.extend([0; 17]);
    let frame_len = out.len() as u64;
    out[0x0B..0x0F].copy_from_slice(&header_len.to_be_bytes());
    out[0x10..0x18].copy_from_slice(&frame_len.to_be_bytes());
    out
}

fn int32(out: &mut Vec<u8>, value: u32) {
    out.push(0xD2);
    out.extend(value.to_be_bytes());
}

fn int64(out: &mut Vec<u8>, value: u64) {
    out.push(0xD3);
    out.extend(value.to_be_bytes());
}

/// The section of metalayers; offsets count from the start of the frame.
fn write_metalayers(out: &mut Vec<u8>, metalayers: &Metalayers) {
    let count = u16::try_from(metalayers.len()).unwrap().to_be_bytes();
    let names: usize = metalayers.iter().map(|(name, _)| name.len() + 6).sum();
    out.extend([0x93, 0xCD]);
    out.extend(u16::try_from(names + 7).unwrap().to_be_bytes());
    out.push(0xDE);
    out.extend(count);
    let mut at = out.len() + names + 3;
    for (name, content) in metalayers.iter() {
        out.push(0xA0 | u8::try_from(name.len()).unwrap());
        out.extend(name.as_bytes());
        int32(out, u32::try_from(at).unwrap());
        at += content.len() + 5;
    }
    out.push(0xDC);
    out.extend(count);
    for (_, content) in metalayers.iter() {
        out.push(0xC6);
        out.extend(u32::try_from(content.len()).unwrap().to_be_bytes());
        out.extend(content);
    }
}
