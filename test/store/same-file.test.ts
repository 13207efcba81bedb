import { linkSync, readdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openDatabase } from '../../server/store/open-database.ts'
import { runBuiltCli, spawnSandbox } from '../support/process.ts'
import { test } from '../support/test.ts'

test.for([
  ['a symbolic link', symlinkSync],
  ['a hard link', linkSync],
  ['a new name', renameSync],
] as const)('%s does not let a second sandbox open the same file', async ([_name, giveName], { folder }) => {
  const cwd = folder.path
  await using _first = await spawnSandbox(['--port', '0', '--db', 'a.db'], { cwd })
  giveName(join(cwd, 'a.db'), join(cwd, 'b.db'))
  const before = readdirSync(cwd)

  expect(await runBuiltCli(['--port', '0', '--db', 'b.db'], { cwd })).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'Database b.db is in use by another sandbox or program. Stop the other one, or set --db to another file.\n',
  })
  expect(readdirSync(cwd)).toEqual(before)
})

test('if several sandboxes start at once with the same file, exactly one of them serves', async ({
  folder,
}) => {
  const cwd = folder.path
  await (await openDatabase(join(cwd, 'a.db'))).close()
  linkSync(join(cwd, 'a.db'), join(cwd, 'b.db'))
  const starts = await Promise.allSettled(
    ['a.db', 'b.db', 'a.db', 'b.db'].map((db) => spawnSandbox(['--port', '0', '--db', db], { cwd })),
  )
  for (const start of starts) if (start.status === 'fulfilled') await start.value.end('SIGTERM')
  expect(starts.map(({ status }) => status).toSorted()).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'rejected',
  ])
})
