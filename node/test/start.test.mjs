// The start that the README shows, as it stands there.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

test('the start of the README prints what it says', () => {
  const readme = readFileSync('node_modules/@toolprism/node/README.md', 'utf8')
  const code = readme.match(/```js\n([^]*?)```/)[1]
  const says = code.match(/\/\/ (.*)\n$/)[1]
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
  assert.equal(printed.trim(), says)
})
