import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { writeSkill } from './skill.ts'
import { withTables } from './tables.ts'

const root = new URL('../../', import.meta.url)

const guides = readdirSync(new URL('server/docs/guides', root))
  .filter((file) => file.endsWith('.md'))
  .map((file) => `server/docs/guides/${file}`)

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'server/README.md',
  'fixtures/laboratory/README.md',
  ...guides,
]

/** `npx vitest run test/docs/tables.test.ts --update` writes the tables. */
test.each(documents)('the tables in %s are those of the code', async (path) => {
  const file = fileURLToPath(new URL(path, root))
  await expect(await withTables(readFileSync(file, 'utf8'))).toMatchFileSnapshot(file)
})

test.each(documents)('every link in %s leads to a file', (path) => {
  const text = readFileSync(new URL(path, root), 'utf8')
  const links = [...text.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)].map(([, link]) => link!)
  expect(links.filter((link) => !existsSync(new URL(link, new URL(path, root))))).toEqual([])
})

test('every test that SECURITY.md names exists', () => {
  const rows = readFileSync(new URL('SECURITY.md', root), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
  const names = rows.flatMap((row) =>
    [...row.matchAll(/`([\w/*-]+(?:\.test\.ts|\/))`/g)].map(([, name]) => name!),
  )
  const files = readdirSync(new URL('test', root), { recursive: true, encoding: 'utf8' }).map(
    (file) => `test/${file.replaceAll('\\', '/')}`,
  )
  const exists = (name: string) => {
    const pattern = new RegExp(`(^|/)${name.replaceAll('.', '\\.').replace('*', '[\\w-]*')}`)
    return files.some((file) => pattern.test(file))
  }
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !exists(name))).toEqual([])
})

test('the README fits 225 lines', () => {
  expect(readFileSync(new URL('README.md', root), 'utf8').split('\n').length).toBeLessThanOrEqual(225)
})

test('the skill for assistants is that of the guides', async () => {
  const file = fileURLToPath(new URL('skills/paylink-sandbox/SKILL.md', root))
  const skill = await writeSkill()
  await expect(skill).toMatchFileSnapshot(file)

  const [, name = '', description = ''] = /^---\nname: (.*)\ndescription: (.*)\n---\n/.exec(skill) ?? []
  expect(name).toMatch(/^[a-z-]{1,64}$/)
  expect(description.length).toBeLessThanOrEqual(1024)
  // In YAML, a colon followed by a space would end a text without quotes.
  expect(description).toMatch(/^(?!.*: )./)
})
