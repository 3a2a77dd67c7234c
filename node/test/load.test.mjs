// Where no binary fits, the package `toolprism` stands in, and where that is missing the error says what to install.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { backend } from '@toolprism/node'
import { platform } from '../node_modules/@toolprism/node/lib/platform.js'

/** A folder with the package but without a binary. */
function bare() {
  const folder = mkdtempSync(join(tmpdir(), 'toolprism-'))
  cpSync('node_modules/@toolprism/node', join(folder, 'node_modules/@toolprism/node'), { recursive: true })
  return folder
}

const code = `import { backend, identify } from '@toolprism/node'; console.log(backend, identify({}))`
const args = ['--no-warnings', '--input-type=module', '-e', code]

test('here the binary fits', () => {
  assert.equal(backend, 'native')
})

test('the stand-in is used where there is no binary', () => {
  const cwd = bare()
  const folder = join(cwd, 'node_modules/toolprism')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"name": "toolprism", "type": "module", "exports": "./index.js"}')
  writeFileSync(join(folder, 'index.js'), 'export const identify = () => "stood in"')
  assert.equal(execFileSync(process.execPath, args, { cwd, encoding: 'utf8' }).trim(), 'wasm stood in')
})

test('without both the error says what to install', () => {
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: bare(), encoding: 'utf8' })
  assert.notEqual(status, 0)
  assert.match(stderr, /npm install @toolprism\/node-\S+, or npm install toolprism/)
})

test('platforms have the names of their packages', () => {
  assert.equal(platform({ platform: 'darwin', arch: 'arm64' }), 'darwin-arm64')
  assert.equal(platform({ platform: 'win32', arch: 'x64' }), 'win32-x64-msvc')
  assert.match(platform({ platform: 'linux', arch: 'arm64' }), /^linux-arm64-(gnu|musl)$/)
})
