//! The instruction set that the library works with is the one that a run asks for: a run of the
//! tests at a level that the machine lacks would prove nothing.
//!
//! `OXIBLOSC_ISA` lowers the level; `OXIBLOSC_EXPECT_ISAS` lists the levels that must be there.

use oxiblosc::kernels::{Isa, Kernels};

#[test]
fn the_level_is_the_one_asked_for() {
    let names: Vec<&str> = Kernels::available()
        .map(|kernels| kernels.isa().name())
        .collect();
    let best = Kernels::best().isa();
    println!("level used: {}, of {}", best.name(), names.join(","));
    for name in std::env::var("OXIBLOSC_EXPECT_ISAS")
        .unwrap_or_default()
        .split(',')
        .filter(|name| !name.is_empty())
    {
        assert!(names.contains(&name), "{name} is expected and not here");
    }
    match std::env::var("OXIBLOSC_ISA") {
        Ok(name) => {
            let isa = Isa::from_name(&name).filter(|isa| isa.is_available());
            assert_eq!(Some(best), isa, "OXIBLOSC_ISA={name}");
        }
        Err(_) => assert_eq!(Some(&best.name()), names.last()),
    }
}
