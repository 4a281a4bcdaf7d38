// SPDX-License-Identifier: MIT
//! Compiles the C library bound to one core, and tells the crate how long its contexts are.
//!
//! No fact about a core is written here.  The preprocessor says what lib/src/default.c names on the
//! target and what `aesfit_config.h` gives a context; the folder of cores says which there are.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// Bytes in front of the schedule of `aesfit_key` in a bound build.
const HEAD_BYTES: usize = 4;

fn main() {
    let library = library_folder();
    let core = named_core(&library).unwrap_or_else(|| default_core(&library));
    let facts = Facts::of(&library, &core);
    let mut unit = bound(&library, &core);
    for (name, bytes) in [
        ("AESFIT_RUST_KEY_BYTES", facts.key_bytes()),
        ("AESFIT_RUST_SCHEDULE_AT", facts.schedule_at()),
        ("AESFIT_RUST_GCM_KEY_BYTES", facts.gcm_key_bytes()),
    ] {
        unit.define(name, bytes.to_string().as_str());
    }
    unit.file("src/unit.c").compile("aesfit_rust");
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("facts.rs"), facts.text(&core)).expect("OUT_DIR is writable");
    for path in ["build.rs", "src/unit.c", library.to_str().expect("a path in UTF-8")] {
        println!("cargo::rerun-if-changed={path}");
    }
}

/// The C library: packages hold it, and a checkout has it beside the crate.  Where git makes no
/// links, `lib` is a file.
fn library_folder() -> PathBuf {
    ["lib", "../lib"]
        .map(PathBuf::from)
        .into_iter()
        .find(|folder| folder.join("include/aesfit.h").is_file())
        .expect("the C library is neither in lib/ nor in ../lib: take the whole repository")
}

/// Where a core's file is, from lib/src: None for a core that exists for a paper, or not at all.
fn core_file(library: &Path, core: &str) -> Option<String> {
    let file = format!("cores/{core}.c");
    library.join("src").join(&file).is_file().then_some(file)
}

/// The core that a feature `core-...` names, if one is on.
fn named_core(library: &Path) -> Option<String> {
    let mut named: Vec<String> = env::vars()
        .filter_map(|(name, _)| Some(name.strip_prefix("CARGO_FEATURE_CORE_")?.to_lowercase()))
        .collect();
    assert!(named.len() < 2, "choose one core; these features are on together: {named:?}");
    let core = named.pop()?;
    assert!(core_file(library, &core).is_some(), "the C library has no core {core}");
    Some(core)
}

/// What lib/src/default.c names on this target as the core without tables: the last core in the
/// preprocessed text.  (`aesni` stands before it on x86, where a bound build cannot ask the
/// processor.)
fn default_core(library: &Path) -> String {
    let text = preprocessed(compiler(library).file(library.join("src/default.c")));
    let (_, last) = text.rsplit_once("&aesfit_core_").expect("default.c names a core");
    let name: String = last.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    name.trim_end_matches("_encrypt").to_owned()
}

/// The compiler with what holds for the whole library.
fn compiler(library: &Path) -> cc::Build {
    let mut build = cc::Build::new();
    build
        .include(library.join("src"))
        .include(library.join("include"))
        .std("c11")
        // As the library's other packages: for size AES takes 14 to 48 % more cycles, and without
        // optimisation calls leave more on the stack than they clear (parts/clear.h).
        .opt_level(2)
        .force_frame_pointer(false); // the assembly needs the register
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("none") {
        // No C library is there for headers; memcpy() is still the one that everybody knows.
        build.flag("-ffreestanding").flag("-fbuiltin");
    }
    build
}

/// The compiler for the one translation unit (lib/src/core.h has the macros).
fn bound(library: &Path, core: &str) -> cc::Build {
    let file = core_file(library, core).expect("a core has a file");
    let text = fs::read_to_string(library.join("src").join(&file)).expect("it can be read");
    let steps = ["prepare_counter", "xor_counters"];
    let counter = steps.iter().filter(|step| text.contains(&format!("{core}_{step}("))).count();
    let mut build = compiler(library);
    build
        .define("AESFIT_BOUND", core)
        .define("AESFIT_BOUND_COUNTER", counter.to_string().as_str())
        .define("AESFIT_BOUND_GHASH", "shift32") // constant-time on every processor
        .define("AESFIT_BOUND_KEY_SIZES", key_sizes().to_string().as_str())
        .define("AESFIT_RUST_CORE_FILE", format!("\"{file}\"").as_str());
    build
}

/// `AESFIT_BOUND_KEY_SIZES` for the features that are on.
fn key_sizes() -> u32 {
    let on = |name: &str| u32::from(env::var_os(format!("CARGO_FEATURE_{name}")).is_some());
    let sum = on("AES128") + 2 * on("AES192") + 4 * on("AES256");
    assert!(sum > 0, "no key size is on: choose one of the features aes128, aes192 and aes256");
    sum
}

fn preprocessed(build: &mut cc::Build) -> String {
    String::from_utf8(build.expand()).expect("C in UTF-8")
}

/// What the C library says about the build.
struct Facts {
    key_words: usize,
    ghash_words: usize,
    lanes: usize,
    align: usize,
}

impl Facts {
    fn of(library: &Path, core: &str) -> Self {
        let text = preprocessed(bound(library, core).file("src/unit.c"));
        let arch = env::var("CARGO_CFG_TARGET_ARCH").expect("cargo sets it");
        Self {
            key_words: number(&text, "aesfit_rust_key_words"),
            ghash_words: number(&text, "aesfit_rust_ghash_words"),
            lanes: number(&text, &format!("{core}_lanes")),
            align: if arch.starts_with("x86") { 16 } else { 4 }, // AESFIT_ALIGNED
        }
    }

    fn schedule_at(&self) -> usize {
        HEAD_BYTES.next_multiple_of(self.align)
    }

    fn key_bytes(&self) -> usize {
        (self.schedule_at() + 4 * self.key_words).next_multiple_of(self.align)
    }

    fn gcm_key_bytes(&self) -> usize {
        (self.key_bytes() + 4 * self.ghash_words).next_multiple_of(self.align)
    }

    /// A module that src/ffi.rs includes.
    fn text(&self, core: &str) -> String {
        let Self { key_words, ghash_words, lanes, .. } = self;
        format!(
            "pub const CORE: &str = {core:?};\n\
             pub type Lanes = cipher::consts::U{lanes};\n\
             pub const KEY_WORDS: usize = {key_words};\n\
             pub const GHASH_WORDS: usize = {ghash_words};\n\
             pub const KEY_BYTES: usize = {};\n\
             pub const SCHEDULE_AT: usize = {};\n\
             pub const GCM_KEY_BYTES: usize = {};\n",
            self.key_bytes(),
            self.schedule_at(),
            self.gcm_key_bytes()
        )
    }
}

/// The value of an enumerator in preprocessed C: a number or a product of numbers, in brackets.
fn number(text: &str, name: &str) -> usize {
    let (_, after) = text.split_once(&format!("{name} = ")).expect("the C says so");
    let (value, _) = after.split_once([',', '}']).expect("an enumerator ends");
    let plain = value.replace(['(', ')'], "");
    let factor = |part: &str| part.trim().parse::<usize>();
    let product = plain.split('*').map(factor).product::<Result<usize, _>>();
    product.unwrap_or_else(|_| panic!("{name} is no product of numbers: {value}"))
}
