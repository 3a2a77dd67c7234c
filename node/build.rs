//! Tells the linker that Node brings its own functions.

fn main() {
    napi_build::setup();
}
