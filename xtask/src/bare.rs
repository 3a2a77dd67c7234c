//! The proof that crates are `no_std`: each is built for a target that has no `std`. The core's has no atomic
//! read-modify-write either; what shares data between threads needs that, so its target has it.
//!
//! A build for the host proves nothing, since there `std` is at hand and features of the workspace add up.

use crate::process::{cargo, root, run, target_dir};
use crate::{Result, debian};

/// A crate, and the target that it is built for.
struct Bare {
    package: &'static str,
    target: &'static str,
}

const CRATES: [Bare; 3] = [
    Bare { package: "toolprism", target: "thumbv6m-none-eabi" },
    Bare { package: "toolprism-repair", target: "thumbv7m-none-eabi" },
    Bare { package: "toolprism-facade", target: "thumbv7m-none-eabi" },
];

/// Builds each crate for its bare target with the first of these that can be had: the target as installed, as installed now
/// by rustup, or its `core` and `alloc` built from Debian's source.
pub(crate) fn prove() -> Result {
    CRATES.iter().try_for_each(Bare::prove)
}

impl Bare {
    fn prove(&self) -> Result {
        let target = self.target;
        if debian::from_rustup(target) {
            return run(cargo(self.build()));
        }
        eprintln!("no core library for {target} from rustup; trying Debian's source of it");
        debian::need_source(target)?;
        let mut cargo = debian::cargo();
        cargo.args(self.build()).arg("-Zbuild-std=core,alloc").current_dir(root());
        // Another compiler in the shared folder would throw its content away.
        cargo.env("CARGO_TARGET_DIR", target_dir()?.join("nostd"));
        run(cargo)
    }

    fn build(&self) -> [&'static str; 6] {
        ["build", "-p", self.package, "--no-default-features", "--target", self.target]
    }
}
