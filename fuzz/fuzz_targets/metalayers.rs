//! Intent: no metalayer, of either kind, and no dtype makes a parser panic; good ones come back.
//! Oracle: what was put in; memory and file say the same; what is written parses to the same.
//! Seeds: b2nd metalayers, dtypes and headers of the golden arrays; choices.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::metalayers(data));
