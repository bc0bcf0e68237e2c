//! [`with_proof`]: the call from the token of a level to a kernel of its folder.

/// Calls a kernel of a level's folder from a method of the level's token.
///
/// Kernels are safe functions with `#[target_feature]`. Calling one from code without the features
/// is unsafe, and the token is the proof that the CPU has them. Arguments are names only, so that
/// the `unsafe` block evaluates no other expression.
///
/// A method of a token names its own folder, a lower level's, or the level's module of `auto`. The
/// macros that define these methods expect this macro in the scope of their caller.
macro_rules! with_proof {
    ($token:ident, $folder:ident $(:: $part:ident)+ $(::<$($generic:literal),+>)?
     ($($argument:ident),*)) => {{
        let _: Self = $token;
        // SAFETY: the token exists only after the features of its level, which include those of the
        // lower levels, were detected; the kernel enables no others.
        unsafe { $folder $(:: $part)+ $(::<$($generic),+>)? ($($argument),*) }
    }};
}
pub(crate) use with_proof;
