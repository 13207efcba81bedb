import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect } from 'vitest'
import { parse } from 'yaml'
import { writeChecksums } from '../../scripts/release/checksums.js'
import { releaseNotes } from '../../scripts/release/notes.js'
import { whyNotReady } from '../../scripts/release/readiness.js'
import { writeSbom } from '../../scripts/release/sbom.js'
import { test } from '../support/test.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (name: string): string => readFileSync(join(root, name), 'utf8')
const manifest = JSON.parse(read('package.json'))

const CHANGELOG = `# Changelog

## 0.2.0 (2026-12-01)

- Two.

### Fixed

- Three.

## 0.1.0 (unreleased)

- One.
`

test("release: the notes are the changelog's section for this version", () => {
  expect(releaseNotes(CHANGELOG, '0.2.0')).toBe('- Two.\n\n### Fixed\n\n- Three.\n')
  expect(releaseNotes(CHANGELOG, '0.2')).toBe('')
  expect(releaseNotes(read('CHANGELOG.md'), manifest.version)).toContain('webhooks')
})

describe('release: a commit is released only', () => {
  const ready = {
    version: '0.2.0',
    repository: { url: 'git+https://github.com/owner/paylink-sandbox.git' },
    changelog: CHANGELOG,
    tags: 'v0.2.0',
    changes: '',
  }

  test('if nothing is open', () => expect(whyNotReady(ready)).toEqual([]))

  test.for<[why: string, changes: Partial<Parameters<typeof whyNotReady>[0]>, expected: RegExp]>([
    ['with its tag', { tags: 'v0.2.0-rc1\nv0.1.9' }, /no tag v0\.2\.0\. Run `git tag v0\.2\.0`/],
    ['without other changes', { changes: ' M README.md' }, /not committed/],
    ['with notes', { version: '0.3.0', tags: 'v0.3.0' }, /says nothing about 0\.3\.0/],
    [
      'with a version that is not a prerelease',
      {
        version: '0.2.0-beta.1',
        tags: 'v0.2.0-beta.1',
        changelog: CHANGELOG.replace('0.2.0', '0.2.0-beta.1'),
      },
      /0\.2\.0-beta\.1 is a prerelease/,
    ],
    ['with a date', { version: '0.1.0', tags: 'v0.1.0' }, /calls 0\.1\.0 unreleased/],
    ['with a repository', { repository: undefined }, /names no repository/],
  ])('%s', ([, changes, expected]) => {
    expect(whyNotReady({ ...ready, ...changes })).toEqual([expect.stringMatching(expected)])
  })
})

test('release: the SBOM lists what npm installs and what the build bundles, and no tools', async ({
  folder,
}) => {
  const file = join(folder.path, 'sbom.json')
  await writeSbom(root, file)

  const { bomFormat, metadata, components, dependencies } = JSON.parse(readFileSync(file, 'utf8'))
  const names: string[] = components.map(({ name }: { name: string }) => name)
  expect(bomFormat).toBe('CycloneDX')
  expect(metadata.component).toMatchObject({ name: manifest.name, version: manifest.version })
  expect(names).toEqual(
    expect.arrayContaining([...Object.keys(manifest.dependencies), 'kysely', 'preact', 'zod']),
  )
  expect(names).not.toEqual(expect.arrayContaining(['vitest']))
  const refs = [metadata.component, ...components].map((component) => component['bom-ref'])
  expect(dependencies.map(({ ref }: { ref: string }) => ref).toSorted()).toEqual(refs.toSorted())
})

test('release: the checksums are those of the files', async ({ folder }) => {
  writeFileSync(join(folder.path, 'b.tgz'), 'package')
  writeFileSync(join(folder.path, 'a.md'), 'notes')
  await writeChecksums(folder.path)

  const sum = (text: string) => createHash('sha256').update(text).digest('hex')
  expect(readFileSync(join(folder.path, 'SHA256SUMS'), 'utf8')).toBe(
    `${sum('notes')}  a.md\n${sum('package')}  b.tgz\n`,
  )
})

test('workflows: each runs only scripts that exist', () => {
  const folder = join(root, '.github', 'workflows')
  for (const name of readdirSync(folder)) {
    const scripts = [...readFileSync(join(folder, name), 'utf8').matchAll(/npm run ([\w:]+)/g)]
    for (const [, script] of scripts) expect(Object.keys(manifest.scripts), name).toContain(script)
  }
})

test('workflows: a tag publishes with provenance, and pushes the image for both architectures', () => {
  const { on, jobs } = parse(read('.github/workflows/release.yml'))
  const { permissions, steps } = jobs.release
  expect(on).toEqual({ push: { tags: ['v*'] } })
  expect(permissions).toEqual({ contents: 'write', packages: 'write', 'id-token': 'write' })
  const commands = steps.map(({ run }: { run?: string }) => run ?? '').join('\n')
  expect(commands).toMatch(/npm publish \S+\.tgz --provenance/)
  expect(commands).toContain('--platform linux/amd64,linux/arm64')
  expect(commands.indexOf('bash .ci/run')).toBeLessThan(commands.indexOf('npm publish'))
})
