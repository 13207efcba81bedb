import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { version } from '../../server/platform/system/version.ts'
import { installedPath, runInstalled } from '../support/installed.ts'

/**
 * Imports as the bundler writes them: at the start of a line, or after `await`. Imports in comments and texts look different.
 */
const IMPORTED = /^import (?:[^'"]+ from )?"([^"]+)";$|await import\("([^"]+)"\)/gm

/** Imports of another file of the bundle that are needed to load this one. */
const STATIC_IMPORT = /^import (?:[^'"]+ from )?"\.\/([^"]+)";$/gm

const PACKAGE = 'node_modules/paylink-sandbox'

/** Packages that the server loads by a name that the bundler does not see. */
const LOADED_LATER = ['pg']

test('the package contains the build and the documents, and nothing else', () => {
  const files = readdirSync(installedPath(PACKAGE)).filter((name) => name !== 'node_modules')
  expect(files.toSorted()).toEqual([
    '.github',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'dist',
    'fixtures',
    'package.json',
    'server',
    'skills',
  ])
  expect(readdirSync(installedPath(PACKAGE, 'dist')).toSorted()).toEqual([
    'report',
    'seed.schema.json',
    'server',
    'types',
    'ui',
  ])
})

test.each(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'server/README.md'])(
  'every file that %s links to is in the package',
  (name) => {
    const file = installedPath(PACKAGE, name)
    const text = readFileSync(file, 'utf8')
    const links = [...text.matchAll(/(?:\]\(|src="|srcset=")([^)"#:\s]+)/g)].map(([, link]) => link!)
    expect(links.filter((link) => !existsSync(join(dirname(file), link)))).toEqual([])
  },
)

test('the installed command line prints its version', async () => {
  const { code, said } = await runInstalled('.', ['npx', 'paylink-sandbox', '--version'])

  expect(code).toBe(0)
  expect(said.trimEnd().split('\n').at(-1)).toBe(version)
})

test('every file named in package.json is in the package', () => {
  const { bin, exports } = JSON.parse(readFileSync(installedPath(PACKAGE, 'package.json'), 'utf8'))

  for (const file of Object.values(bin) as string[])
    expect(readFileSync(installedPath(PACKAGE, file), 'utf8')).toMatch(/^#!/)
  for (const entry of Object.values<string | Record<string, string>>(exports)) {
    for (const file of typeof entry === 'string' ? [entry] : Object.values(entry)) {
      expect(readFileSync(installedPath(PACKAGE, file), 'utf8')).not.toBe('')
    }
  }
})

test('every import of the built server is bundled or a dependency', () => {
  const { dependencies, peerDependencies } = JSON.parse(
    readFileSync(installedPath(PACKAGE, 'package.json'), 'utf8'),
  )
  const folder = installedPath(PACKAGE, 'dist/server')
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  const imported = texts.flatMap((text) =>
    [...text.matchAll(IMPORTED)].map(([, from, lazily]) => from ?? lazily!),
  )
  const packages = imported.filter((name) => !name.startsWith('.') && !isBuiltin(name))

  expect([...new Set([...packages, ...LOADED_LATER])].toSorted()).toEqual(
    Object.keys({ ...dependencies, ...peerDependencies }).toSorted(),
  )
})

test('only the command mcp loads the code of MCP', () => {
  const folder = installedPath(PACKAGE, 'dist/server')
  for (const entry of ['index.js', 'vitest.js', 'playwright.js', 'sandbox.js', 'cli.js']) {
    const loaded = new Set([entry])
    for (const name of loaded) {
      const text = readFileSync(join(folder, name), 'utf8')
      for (const [, from] of text.matchAll(STATIC_IMPORT)) loaded.add(from!)
    }
    const texts = [...loaded].map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(texts.filter((text) => text.includes('tools/call'))).toEqual([])
  }
  expect(readFileSync(join(folder, 'serve-mcp.js'), 'utf8')).toContain('tools/call')
})

test.each(['server', 'ui', 'report'])('the licenses of the packages bundled into %s are included', (part) => {
  const text = readFileSync(installedPath(PACKAGE, 'dist', part, 'third-party-licenses.txt'), 'utf8')

  expect(text).toMatch(part === 'server' ? /^kysely [\d.]+, MIT$/m : /^preact [\d.]+, MIT$/m)
  expect(text).toContain('Permission is hereby granted, free of charge')
})
