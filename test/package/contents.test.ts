import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { version } from '../../server/version.ts'
import { installed, runInstalled } from '../support/installed.ts'

const PACKAGE = 'node_modules/paylink-sandbox'

test('the package has what was built and what is read, and nothing else', () => {
  const files = readdirSync(installed(PACKAGE)).filter((name) => name !== 'node_modules')
  expect(files.toSorted()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json'])
  expect(readdirSync(installed(PACKAGE, 'dist')).toSorted()).toEqual([
    'report',
    'seed.schema.json',
    'server',
    'types',
    'ui',
  ])
})

test('the command line that it installs says which version it is', async () => {
  const { code, said } = await runInstalled('.', ['npx', 'paylink-sandbox', '--version'])

  expect(code).toBe(0)
  expect(said.trimEnd().split('\n').at(-1)).toBe(version)
})

test('every file that its package.json names is in it', () => {
  const { bin, exports } = JSON.parse(readFileSync(installed(PACKAGE, 'package.json'), 'utf8'))

  for (const file of Object.values(bin) as string[])
    expect(readFileSync(installed(PACKAGE, file), 'utf8')).toMatch(/^#!/)
  for (const entry of Object.values<string | Record<string, string>>(exports)) {
    for (const file of typeof entry === 'string' ? [entry] : Object.values(entry)) {
      expect(readFileSync(installed(PACKAGE, file), 'utf8')).not.toBe('')
    }
  }
})
