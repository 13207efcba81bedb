import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { selfSignedCertificate } from '../../server/platform/tls/self-signed-certificate.ts'
import { openSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

/** The permissions that anyone except the owner has on the files and folders below a folder. */
const openToOthers = (folder: string): string[] =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0)

test.skipIf(process.platform === 'win32')(
  'only their owner can read the files of a sandbox, except for the certificate',
  async ({ folder }) => {
    const db = join(folder.path, 'made', 'here', 'sandbox.db')
    await using sandbox = await openSandbox({ db })
    await sandbox.control('POST', '/snapshots', { name: 'taken' })
    await selfSignedCertificate(db, ['localhost'])
    const file = await (await fetch(`${sandbox.url}/_sandbox/v1/snapshots/taken/file`)).arrayBuffer()
    const upload = `${sandbox.url}/_sandbox/v1/snapshots/uploaded/file`
    expect((await fetch(upload, { method: 'PUT', body: file })).status).toBe(201)

    expect(readdirSync(join(folder.path, 'made', 'here')).toSorted()).toEqual([
      'sandbox.db',
      'sandbox.db-shm',
      'sandbox.db-wal',
      'sandbox.db.crt',
      'sandbox.db.key',
      'sandbox.db.snapshots',
    ])
    expect(openToOthers(folder.path)).toEqual([join('made', 'here', 'sandbox.db.crt')])
  },
)

test.skipIf(process.platform === 'win32')(
  'an existing database file keeps its permissions',
  async ({ folder }) => {
    const db = join(folder.path, 'sandbox.db')
    writeFileSync(db, '', { mode: 0o644 })
    await using _sandbox = await openSandbox({ db })
    expect(statSync(db).mode & 0o777).toBe(0o644)
  },
)

test.skipIf(process.platform === 'win32')(
  'keys and snapshots are not written through a symbolic link',
  async ({ folder }) => {
    const db = join(folder.path, 'sandbox.db')
    mkdirSync(`${db}.snapshots`)
    await using sandbox = await openSandbox({ db })
    for (const link of [`${db}.key.new`, `${db}.snapshots/mine.db.new`]) symlinkSync(`${db}.elsewhere`, link)

    await selfSignedCertificate(db, ['localhost'])
    expect((await sandbox.control('POST', '/snapshots', { name: 'mine' })).status).toBe(201)

    expect(existsSync(`${db}.elsewhere`)).toBe(false)
  },
)

test.skipIf(process.platform === 'win32')(
  'an incomplete key of a killed start is replaced',
  async ({ folder }) => {
    const db = join(folder.path, 'sandbox.db')
    writeFileSync(`${db}.key.new`, 'half', { mode: 0o644 })

    const { key } = await selfSignedCertificate(db, ['localhost'])

    expect(readFileSync(`${db}.key`, 'utf8')).toBe(key)
    expect(statSync(`${db}.key`).mode & 0o777).toBe(0o600)
  },
)
