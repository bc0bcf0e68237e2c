//! The name that programs linked to this library ask the loader for. rustc itself writes the list
//! of exported symbols: the `extern "C"` functions of this crate, and nothing else.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let os = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    match os.as_str() {
        "linux" | "android" | "freebsd" | "netbsd" | "openbsd" => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libblosc.so.1");
        }
        "macos" => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libblosc.1.dylib");
        }
        _ => {}
    }
}
