import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/run.js'

const files = ['server', 'ui', 'scripts', 'test', 'fixtures'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.includes('node_modules'))
    .map((path) => `${folder}/${path}`.replaceAll('\\', '/')),
)

/** Documents for users. They name files in the reader's project. */
const isForUsers = (file: string): boolean => /\/docs\/guides\/|^fixtures\/recipes\//.test(file)

/** A path within the project, in backticks. A path that begins with `..` is an example of an import. */
const NAMED_FILE = /`((?!\.\.)[\w@.-]+\/[\w@./-]+\.(?:css|js|tsx?))`/g

const isThere = (name: string): boolean => files.some((file) => file === name || file.endsWith(`/${name}`))

test('comments and documents for maintainers name only files that exist', () => {
  const missing = files
    .filter((file) => /\.(?:css|js|md|tsx?)$/.test(file) && !isForUsers(file))
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(NAMED_FILE)]
        .map(([, name = '']) => name)
        .filter((name) => !isThere(name) && !name.startsWith('dist/'))
        .map((name) => `${file} names ${name}`),
    )
  expect(missing).toEqual([])
})
