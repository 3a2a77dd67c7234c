//! Prints the JSON Schema of the envelope; `cargo xtask schema` keeps the checked-in file equal to this.

fn main() {
    println!("{:#}", toolprism::tool_meta_json_schema());
}
