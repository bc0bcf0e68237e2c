//! Runs one input: `cargo run -p oxiblosc-fuzz-bodies --example replay -- TARGET FILE...`.
#![forbid(unsafe_code)]
#![expect(clippy::expect_used, reason = "a tool for developers")]

use oxiblosc_fuzz_bodies::TARGETS;

fn main() {
    let mut args = std::env::args().skip(1);
    let name = args.next().expect("a target, then files");
    let target = TARGETS.iter().find(|(target, _)| *target == name);
    let (_, run) = target.expect("a target of that name");
    for file in args {
        run(&std::fs::read(file).expect("the input"));
    }
}
