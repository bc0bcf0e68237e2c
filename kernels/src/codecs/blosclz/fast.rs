//! The decoder's fast loop: tokens with a margin to every end.
//!
//! It omits the checks that its margins make superfluous, and it reports no errors: a token that is
//! not an ordinary one of a valid stream is left, unread, to the careful step.

use core::hint::select_unpredictable;

use super::limits::MAX_SHORT_DISTANCE;
use crate::codecs::lz::Lanes;
use crate::codecs::lz::raw::{SLACK, copy_up_to_16};

/// The token after the last one; first bytes are below 256.
pub(super) const ENDED: usize = usize::MAX;

/// The state of the decoder, before a token whose first byte is read.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub(super) token: usize,
    /// Offset after the token's first byte.
    pub(super) read: usize,
    /// Bytes of output; never more than its length.
    pub(super) produced: usize,
}

/// The least number of bytes from a token to the end of the stream: 32 literals and the next
/// token's first byte, or six bytes of a match and the next token's first byte.
pub(super) const READ_MARGIN: usize = 40;
/// The least number of bytes from a token to the end of the output: 32 literals, or a short match.
pub(super) const WRITE_MARGIN: usize = 32;

/// Carries out tokens from `state` on, inside the margins, until `wanted` bytes are produced.
///
/// With `PADDED`, only the first `len` bytes of `src` are the stream: a token is carried out only
/// if the first byte of the next one is among them, or if it is literals up to the end; the state's
/// token is [`ENDED`] then.
#[inline(always)]
pub(super) fn run<L: Lanes, const PADDED: bool>(
    lanes: L,
    src: &[u8],
    len: usize,
    dst: &mut [u8],
    state: &mut State,
    wanted: usize,
) {
    let stream_len = len;
    let Some(read_end) = src.len().checked_sub(READ_MARGIN) else {
        return;
    };
    let Some(write_end) = dst.len().checked_sub(WRITE_MARGIN) else {
        return;
    };
    let stop = write_end.min(wanted);
    // Of a match that is copied in vectors.
    let match_end = dst.len().saturating_sub(SLACK);
    let State {
        mut token,
        mut read,
        mut produced,
    } = *state;
    // Checked reads and literals cost 3 % at most; only the copy of a match goes without.
    let byte = |at: usize| usize::from(src[at]);
    while read < read_end && produced < stop {
        if token < 32 {
            if PADDED && read + token + 1 > stream_len {
                break;
            }
            dst[produced..produced + 32].copy_from_slice(&src[read..read + 32]);
            if PADDED && read + token + 1 == stream_len {
                produced += token + 1;
                token = ENDED;
                break;
            }
            read += token + 1;
            produced += token + 1;
            token = byte(read);
            read += 1;
            continue;
        }
        // All bytes that the token may have are read before it is known which it has: the
        // bottleneck is the dependency chain from token to token.
        let (first, second, third) = (byte(read), byte(read + 1), byte(read + 2));
        let long = token >= 7 << 5;
        let more = select_unpredictable(long, first, 0);
        let low = select_unpredictable(long, second, first);
        let mut following = select_unpredictable(long, third, second);
        let mut next = read + 2 + usize::from(long);
        let mut len = (token >> 5) + 2 + more;
        let mut distance = ((token & 31) << 8) + low + 1;
        if more == 255 {
            next = read;
            len = 9;
            while next < read_end && src[next..next + 8] == [255; 8] {
                len = len.saturating_add(8 * 255);
                next += 8;
            }
            let mut more = 255;
            while more == 255 && next < read_end {
                more = byte(next);
                next += 1;
                len = len.saturating_add(more);
            }
            if more == 255 {
                break;
            }
            distance = ((token & 31) << 8) + byte(next) + 1;
            following = byte(next + 1);
            next += 2;
        }
        if distance > MAX_SHORT_DISTANCE {
            // 8192: the long form.
            distance += following << 8 | byte(next);
            following = byte(next + 1);
            next += 2;
        }
        if PADDED && next > stream_len {
            break;
        }
        // A bad distance, or a match into the margin.
        let short = (len <= 16) & (distance >= 8);
        if distance > produced || (!short && len > match_end.saturating_sub(produced)) {
            break;
        }
        token = following;
        read = next;
        let target = dst.as_mut_ptr().wrapping_add(produced);
        if short {
            // SAFETY: the distance is at most `produced`, and WRITE_MARGIN bytes follow.
            unsafe { copy_up_to_16(target.wrapping_sub(distance), target, len, true) };
        } else {
            // SAFETY: the distance is 1 at least and `produced` at most, and the match ends SLACK
            // bytes before `dst` does.
            unsafe { lanes.copy_match(target, distance, len) };
        }
        produced += len;
    }
    *state = State {
        token,
        read,
        produced,
    };
}
