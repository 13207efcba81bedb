import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

const texts = execFileSync('git', ['ls-files', '*.yml', '*.yaml', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(Boolean)
  .map((file) => readFileSync(join(root, file), 'utf8'))

test('workflows, recipes and guides use one version of each foreign action', () => {
  const uses = texts.flatMap((text) => [...text.matchAll(/\buses: (\w[^@\s]*)@(\S+)/g)])
  const versions = new Map<string, Set<string>>()
  for (const [, name = '', version = ''] of uses) {
    versions.set(name, (versions.get(name) ?? new Set()).add(version))
  }

  expect(Object.fromEntries([...versions].map(([name, found]) => [name, [...found]]))).toEqual({
    'actions/checkout': ['v7'],
    'actions/setup-node': ['v7'],
    'actions/upload-artifact': ['v7'],
    'docker/setup-buildx-action': ['v4'],
    'docker/setup-qemu-action': ['v4'],
  })
})
