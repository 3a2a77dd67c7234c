// The name of this machine's binary: linux-x64-gnu, darwin-arm64, win32-x64-msvc, ...

export function platform({ platform, arch } = process) {
  if (platform === 'linux') return `linux-${arch}-${usesGlibc() ? 'gnu' : 'musl'}`
  if (platform === 'win32') return `win32-${arch}-msvc`
  return `${platform}-${arch}`
}

function usesGlibc() {
  const { report } = process
  // Looking up the names of open connections would take seconds.
  const before = report.excludeNetwork
  report.excludeNetwork = true
  const { header } = report.getReport()
  report.excludeNetwork = before
  return header.glibcVersionRuntime !== undefined
}
