//! The npm package in user interfaces: the hooks, the element and the adapters, with the packages that they are made for, and
//! the example page.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::npm::{copy_all, npm, tools};
use crate::npm_test::need_browser;
use crate::process::{root, run};

const PACKAGES: [&str; 14] = [
    "vite@8.4.0",
    "@vitejs/plugin-react@6.3.0",
    "playwright-core@1.65.1",
    "axe-core@4.14.1",
    "typescript@7.0.2",
    "react@19.3.1",
    "react-dom@19.3.1",
    "@types/node@26.6.7",
    "@types/react@19.3.3",
    "ai@7.0.173",
    "@ai-sdk/react@4.0.177",
    "@assistant-ui/react@0.15.22",
    "@agentclientprotocol/sdk@2.4.0",
    "zod@4.6.7",
];

/// Where pictures of the pages are put.
const PICTURES: &str = "target/pictures";

/// Runs the tests in `wasm/test/ui` on the package in this archive.
pub(crate) fn test(archive: &Path) -> Result {
    need_browser()?;
    let folder = tools("ui", &PACKAGES)?;
    let app = installed(&folder.join("app"), archive)?;
    let mut tsc = node(&app, &folder.join("node_modules/typescript/bin/tsc"));
    tsc.args(["-p", "tsconfig.json"]);
    run(tsc)?;
    let vite = folder.join("node_modules/vite/bin/vite.js");
    for page in [app.clone(), app.join("wasm/example")] {
        let mut build = node(&page, &vite);
        build.args(["build", "--logLevel", "warn"]);
        run(build)?;
    }
    let mut tests = Command::new("node");
    tests.args(["--test", "--test-reporter=dot", "acp.test.mjs", "ssr.test.mjs", "browser.test.mjs", "chat.test.mjs"]);
    tests.current_dir(&app).env("TOOLPRISM_PICTURES", pictures()?);
    run(tests)
}

/// The folder of the pictures, there and ready.
pub(crate) fn pictures() -> Result<PathBuf> {
    let pictures = root().join(PICTURES);
    fs::create_dir_all(&pictures).map_err(|error| format!("cannot make {}: {error}", pictures.display()))?;
    Ok(pictures)
}

fn node(folder: &Path, script: &Path) -> Command {
    let mut node = Command::new("node");
    node.arg(script).current_dir(folder);
    node
}

/// An empty folder, then the tests, the example, its sessions and the package of the archive in it.
fn installed(folder: &Path, archive: &Path) -> Result<PathBuf> {
    let _ = fs::remove_dir_all(folder);
    copy_all(&root().join("wasm/test/ui"), folder)?;
    copy_all(&root().join("wasm/example"), &folder.join("wasm/example"))?;
    copy_all(&root().join("samples/acp"), &folder.join("samples/acp"))?;
    fs::write(folder.join("package.json"), "{\"private\":true,\"type\":\"module\"}\n")
        .map_err(|error| format!("cannot write in {}: {error}", folder.display()))?;
    let mut install = npm(&["install", "--silent", "--offline", "--omit=peer"]);
    install.arg(archive).current_dir(folder);
    run(install)?;
    Ok(folder.to_owned())
}
