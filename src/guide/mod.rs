//! Guides: what to choose, and where things are for those who come from Python or C.
//!
//! | page | question |
//! |---|---|
//! | [`choosing`] | which codec, level and filters for these data? |
//! | [`from_python`] | what is `blosc2.asarray(a, urlpath=...)` here? |
//! | [`from_c`] | where is this function of C-Blosc2? |

#[doc = include_str!("choosing.md")]
pub mod choosing {}

#[doc = include_str!("from_python.md")]
pub mod from_python {}

#[doc = include_str!("from_c.md")]
pub mod from_c {}
