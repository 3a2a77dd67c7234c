//! The playground (`web-demo/`): built on the npm package as its users get it, tested in a browser, and served.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::npm::{self, copy_all, npm, tools};
use crate::npm_test::need_browser;
use crate::process::{root, run};
use crate::ui_test::pictures;

/// What its tests need besides.
const TEST_TOOLS: [&str; 2] = ["playwright-core@1.65.1", "axe-core@4.14.1"];

/// Builds the page, and serves it on a free port of the loopback interface until it is stopped.
pub(crate) fn serve() -> Result {
    let page = built(&npm::build()?)?;
    eprintln!("demo: the playground is at the address below, until you press Ctrl-C");
    let mut preview = vite(&page, "preview");
    // Several may be served at once.
    preview.args(["--host", "127.0.0.1", "--port", "0", "--bypass-lock"]);
    run(preview)
}

/// Runs the tests in `web-demo/test` on the page, built with the package in this archive.
pub(crate) fn test(archive: &Path) -> Result {
    need_browser()?;
    let page = built(archive)?;
    let mut tests = Command::new("node");
    tests.args(["--test", "--test-reporter=dot"]);
    let folder = page.join("test");
    let entries = fs::read_dir(&folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.to_string_lossy().ends_with(".test.mjs"));
    files.sort();
    tests.args(files).current_dir(&page).env("TOOLPRISM_ROOT", root()).env("TOOLPRISM_PICTURES", pictures()?);
    run(tests)
}

/// Measures how long a log takes until it can be used.
pub(crate) fn bench() -> Result {
    need_browser()?;
    let page = built(&npm::build()?)?;
    let mut bench = Command::new("node");
    bench.arg("bench/read.mjs").current_dir(&page);
    run(bench)
}

/// A copy of the page with what it depends on, its types checked, and built.
fn built(archive: &Path) -> Result<PathBuf> {
    let source = root().join("web-demo");
    let manifest = source.join("package.json");
    let manifest =
        fs::read_to_string(&manifest).map_err(|error| format!("cannot read {}: {error}", manifest.display()))?;
    let mut packages = dependencies(&manifest);
    packages.extend(TEST_TOOLS.map(str::to_owned));
    let folder = tools("playground", &packages.iter().map(String::as_str).collect::<Vec<_>>())?;
    let (site, page) = (folder.join("site"), folder.join("site/web-demo"));
    let _ = fs::remove_dir_all(&site);
    for part in ["index.html", "package.json", "tsconfig.json", "vite.config.ts"] {
        fs::create_dir_all(&page).map_err(|error| format!("cannot make {}: {error}", page.display()))?;
        npm::copy(&source.join(part), &page)?;
    }
    for part in ["bench", "public", "src", "test"] {
        copy_all(&source.join(part), &page.join(part))?;
    }
    copy_all(&root().join("samples"), &site.join("samples"))?;
    // The package alone, in a folder above the page: what it stands beside lies further up.
    fs::write(site.join("package.json"), "{\"private\":true,\"type\":\"module\"}\n")
        .map_err(|error| format!("cannot write in {}: {error}", site.display()))?;
    let mut install = npm(&["install", "--silent", "--offline", "--omit=peer"]);
    install.arg(archive).current_dir(&site);
    run(install)?;
    let mut types = Command::new("node");
    types.arg(folder.join("node_modules/typescript/bin/tsc")).current_dir(&page);
    run(types)?;
    let mut build = vite(&page, "build");
    build.args(["--logLevel", "warn"]);
    run(build)?;
    Ok(page)
}

fn vite(page: &Path, command: &str) -> Command {
    let mut vite = Command::new("node");
    vite.arg(page.join("../../node_modules/vite/bin/vite.js")).arg(command).current_dir(page);
    vite
}

/// The packages of a `package.json` as `name@version`; each stands in a line, and those that are files are left out.
fn dependencies(manifest: &str) -> Vec<String> {
    let pairs = manifest.lines().filter_map(|line| line.trim().trim_end_matches(',').split_once(": "));
    let unquoted = pairs.map(|(name, version)| (name.trim_matches('"'), version.trim_matches('"')));
    unquoted
        .filter(|(_, version)| version.starts_with(|c: char| c.is_ascii_digit()))
        .map(|(name, version)| format!("{name}@{version}"))
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn packages_come_from_the_manifest() {
        let manifest = "{\n  \"type\": \"module\",\n  \"dependencies\": {\n    \"@a/b\": \"1.2.3\",\n    \"toolprism\": \
                        \"file:../dist/t.tgz\"\n  },\n  \"devDependencies\": {\n    \"vite\": \"8.4.0\"\n  }\n}\n";
        assert_eq!(super::dependencies(manifest), ["@a/b@1.2.3", "vite@8.4.0"]);
    }
}
