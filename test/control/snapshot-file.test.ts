import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { gunzipSync, gzipSync } from 'node:zlib'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { openSandbox, type OpenSandbox } from '../support/sandbox.ts'
import {
  changeRows,
  downloadSnapshot,
  packSnapshot,
  snapshotFileUrl,
  unpackSnapshot,
  uploadSnapshot,
  type SnapshotFile,
} from '../support/snapshot-file.ts'
import { test } from '../support/test.ts'

const databases = [
  ['in memory', () => ':memory:'],
  ['in a file', (folder: string) => join(folder, 'sandbox.db')],
] as const

const listed = async ({ control }: OpenSandbox) => (await control('GET', '/snapshots')).answer.snapshots

test.for(databases)(
  'a snapshot can be moved between sandboxes %s, as a file',
  async ([_where, db], { folder }) => {
    await using here = await openSandbox({ now: () => new Date('2026-07-01T10:00:00.000Z') })
    await here.createLink({ recipient_note: 'Order 7' })
    await here.control('POST', '/links/1001/pay')
    await here.control('POST', '/snapshots', { name: 'paid' })

    const response = await fetch(snapshotFileUrl(here, 'paid'))
    const bytes = Buffer.from(await response.arrayBuffer())
    expect([response.status, response.headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename="paid.ndjson.gz"',
    ])
    expect(response.headers.get('content-length')).toBe(String(bytes.length))

    await using there = await openSandbox({ db: db(folder.path) })
    expect(await uploadSnapshot(there, 'from-here', bytes)).toEqual({
      status: 201,
      answer: {
        name: 'from-here',
        takenAt: '2026-07-01T10:00:00.000Z',
        links: 1,
        size: bytes.length,
        problem: null,
      },
    })
    expect((await there.control('POST', '/snapshots/from-here/restore')).status).toBe(200)
    expect((await there.control('GET', '/links/1001')).answer).toMatchObject({
      note: 'Order 7',
      status: 'paid',
    })
    expect(await downloadSnapshot(there, 'from-here')).toEqual(bytes)
    expect(there.problems).toEqual([])
  },
)

test('an uploaded snapshot is still there after a restart', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  const first = await openSandbox({ db })
  await first.control('POST', '/snapshots', { name: 'mine' })
  await uploadSnapshot(first, 'again', await downloadSnapshot(first, 'mine'))
  await first.close()
  // A process that is killed during an upload leaves this file behind.
  writeFileSync(`${db}.snapshots/half.upload`, 'half of it')
  writeFileSync(`${db}.snapshots/half.ndjson.gz.new`, 'half of it')

  await using second = await openSandbox({ db })
  expect((await listed(second)).map(({ name }) => name)).toEqual(['again', 'mine'])
  expect(readdirSync(`${db}.snapshots`).toSorted()).toEqual(['again.ndjson.gz', 'mine.ndjson.gz'])
  expect((await second.control('POST', '/snapshots/again/restore')).status).toBe(200)
})

test('the next start deletes the unfinished uploads of a killed process', async ({ folder }) => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  // The test has its own folder, because other sandboxes that start now delete the uploads in the shared folder.
  vi.stubEnv('TMPDIR', folder.path)
  onTestFinished(() => void vi.unstubAllEnvs())
  const dead = mkdtempSync(join(tmpdir(), `paylink-upload-${pid}-`))
  const alive = mkdtempSync(join(tmpdir(), `paylink-upload-${process.pid}-`))
  writeFileSync(join(dead, 'half.upload'), 'half of it')
  await using _sandbox = await openSandbox()
  expect([existsSync(dead), existsSync(alive)]).toEqual([false, true])
})

test('an upload replaces a snapshot only if asked to', async ({ sandbox }) => {
  await sandbox.control('POST', '/snapshots', { name: 'mine' })
  const bytes = await downloadSnapshot(sandbox, 'mine')
  expect(await uploadSnapshot(sandbox, 'mine', bytes)).toMatchObject({
    status: 409,
    answer: { detail: 'There is already a snapshot mine. Delete it, or upload with ?replace=true' },
  })
  expect((await uploadSnapshot(sandbox, 'mine', bytes, '?replace=true')).status).toBe(201)
  expect((await uploadSnapshot(sandbox, 'mine', bytes, '?replac=true')).answer.detail).toContain(
    'did you mean replace?',
  )
  expect((await uploadSnapshot(sandbox, 'before-reset', bytes)).status).toBe(422)
  expect((await uploadSnapshot(sandbox, 'Mine', bytes)).status).toBe(404)
})

test('an unknown snapshot cannot be downloaded, and HEAD returns the headers only', async ({ sandbox }) => {
  const missing = await sandbox.rawControl('GET', '/snapshots/mine/file')
  expect([missing.status, missing.answer.detail]).toEqual([404, expect.stringContaining('no snapshot mine')])
  await sandbox.control('POST', '/snapshots', { name: 'mine' })
  const head = await fetch(snapshotFileUrl(sandbox, 'mine'), { method: 'HEAD' })
  expect([head.status, Number(head.headers.get('content-length')) > 0, await head.text()]).toEqual([
    200,
    true,
    '',
  ])
})

/** Changes what a snapshot contains, and packs it again. */
const changed =
  (change: (file: SnapshotFile) => Partial<SnapshotFile>) =>
  (sound: Buffer): Buffer => {
    const file = unpackSnapshot(sound)
    return packSnapshot({ ...file, ...change(file) })
  }

/** Changes the lines of a snapshot, and counts them again. */
const changedLines = (change: (lines: SnapshotFile['lines']) => SnapshotFile['lines']) =>
  changed(({ header, lines }) => {
    const next = change(lines)
    const rows = Object.fromEntries(
      Object.keys(header['rows'] as object).map((table) => [
        table,
        next.filter(([name]) => name === table).length,
      ]),
    )
    return { header: { ...header, rows }, lines: next }
  })

const sql = (statement: string) => (sound: Buffer) => changeRows(sound, statement)

test.for<
  [what: string, make: (sound: Buffer) => Uint8Array | string | Promise<Uint8Array>, reason: string | RegExp]
>([
  ['nothing', () => '', 'it is empty'],
  [
    'a line that is too long',
    (sound) =>
      gzipSync(Buffer.concat([gunzipSync(sound), Buffer.alloc(65 * 1024 * 1024, '[')]), { level: 1 }),
    'it has a line of more than 64 MiB',
  ],
  ['an empty file in gzip format', () => gzipSync(''), 'it is not a snapshot of a sandbox'],
  ['text', () => 'These are notes, and no database.', 'it is not a snapshot: it is not in gzip format'],
  ['a database file', () => `SQLite format 3\0${'x'.repeat(5000)}`, 'it is not in gzip format'],
  ['other text in gzip format', () => gzipSync('These are notes.\n'), 'it is not a snapshot of a sandbox'],
  ['other JSON in gzip format', () => gzipSync('[1]\n'), 'it is not a snapshot of a sandbox'],
  ['a truncated file', (sound) => sound.subarray(0, -2000), 'it is incomplete: its end is missing'],
  ['a file without its last bytes', (sound) => sound.subarray(0, -1), 'it is incomplete: its end is missing'],
  ['random bytes in the middle', (sound) => sound.fill(255, 1000, 1200), 'it is damaged: '],
  [
    'a wrong checksum',
    (sound) => sound.fill(0, sound.length - 8, sound.length - 4),
    'it is damaged: incorrect data check',
  ],
  [
    'lines that are not UTF-8',
    (sound) => gzipSync(Buffer.concat([gunzipSync(sound), Buffer.of(0xff, 10)])),
    'it is damaged: it is not UTF-8',
  ],
  [
    'half a line',
    (sound) => gzipSync(gunzipSync(sound).subarray(0, -5)),
    'it is incomplete: its last line has no end',
  ],
  [
    'a missing line',
    changed(({ lines }) => ({ lines: lines.slice(0, -1) })),
    /it has \d+ rows of the table \w+, but its first line says \d+$/,
  ],
  [
    'a line that is not JSON',
    (sound) => gzipSync(Buffer.concat([gunzipSync(sound), Buffer.from('{\n')])),
    /line \d+ is not a row, like \["link",\{"id":1001\}\]$/,
  ],
  [
    'a line with a list',
    changedLines((lines) => [...lines, ['tunnel', []] as never]),
    /line \d+ is not a row/,
  ],
  [
    'a line with three items',
    changedLines((lines) => [...lines, ['tunnel', {}, 1] as never]),
    /line \d+ is not/,
  ],
  [
    'another version',
    changed(({ header }) => ({ header: { ...header, version: '0' } })),
    'it was taken by another version of paylink-sandbox. Take a snapshot with this version',
  ],
  [
    'another time',
    changed(({ header }) => ({ header: { ...header, takenAt: 'soon' } })),
    'its first line is not that of a snapshot',
  ],
  [
    'another epoch',
    changed(({ header }) => ({ header: { ...header, epoch: 7 } })),
    'its first line is not that of a snapshot',
  ],
  [
    'no counts',
    changed(({ header }) => ({ header: { ...header, rows: null } })),
    'its first line is not that of a snapshot',
  ],
  [
    'a first line that is too long',
    changed(({ header }) => ({ header: { ...header, epoch: randomBytes(8000).toString('base64') } })),
    'it is not a snapshot of a sandbox',
  ],
  [
    'a row of an unknown table',
    changedLines((lines) => [...lines, ['sqlite_master', {}]]),
    /line \d+ has a row of the table sqlite_master, but there is no such table$/,
  ],
  [
    'a row of a table with a name of every object',
    changedLines((lines) => [...lines, ['constructor', {}]]),
    /line \d+ has a row of the table constructor, but there is no such table$/,
  ],
  [
    'an unknown column',
    changedLines((lines) => [
      ...lines,
      ['formerKey', { apiKey: 'devKey12345', 'apiKey" = 1; drop table "event"; --': 1 }],
    ]),
    'table formerKey, row 1, apiKey" = 1; drop table "event"; --: there is no such column',
  ],
  [
    'a column that every object has',
    (sound) => {
      const text = gunzipSync(sound).toString().replace('"formerKey":0', '"formerKey":1')
      return gzipSync(`${text}["formerKey",{"apiKey":"devKey12345","__proto__":1}]\n`)
    },
    'table formerKey, row 1, __proto__: there is no such column',
  ],
  [
    'a missing column',
    changedLines((lines) => [...lines, ['formerKey', {}]]),
    'table formerKey, row 1, apiKey: is missing',
  ],
  [
    'bytes that are not base64',
    changedLines((lines) =>
      lines.map(([table, row]) => [
        table,
        table === 'event' ? { ...row, requestBody: { base64: '!' } } : row,
      ]),
    ),
    'table event, row 1, requestBody: should be text, bytes like {"base64":"AAE="}, or null',
  ],
  [
    'the same row twice',
    changedLines((lines) => [...lines, lines.find(([table]) => table === 'account')!]),
    'table account, row 5, id: is the same as in an earlier row',
  ],
  [
    'the same API key twice',
    changedLines((lines) =>
      lines.map(([table, row]) => [table, table === 'account' ? { ...row, apiKey: 'devKey12345' } : row]),
    ),
    'table account, row 2, apiKey: is the same as in an earlier row',
  ],
  [
    'a row with a dangling reference',
    sql("update invoice set accountId = 'nobody' where sfId = '501'"),
    /table invoice, row \d+, accountId: there is no such row in the table account/,
  ],
  [
    'a request of a missing event',
    changedLines((lines) => [
      ...lines,
      ['capturedRequest', { seq: 999, tunnel: 'shop', path: '/tunnel/shop', size: 0 }],
    ]),
    /table capturedRequest, row \d+, seq: there is no such row in the table event/,
  ],
  [
    'a row with an invalid value',
    sql("update account set serviceFee = '1e99' where rowid = 2"),
    'table account, row 2, serviceFee: should be a percentage like 1.0',
  ],
])('an upload of %s is refused, and leaves nothing behind', async ([_what, make, reason], { folder }) => {
  const db = join(folder.path, 'sandbox.db')
  await using sandbox = await openSandbox({ db })
  await sandbox.control('POST', '/snapshots', { name: 'sound' })
  const file = await make(await downloadSnapshot(sandbox, 'sound'))
  const { status, answer } = await uploadSnapshot(sandbox, 'mine', file)
  const [, objection] = String(answer.detail).split('The file was not saved as snapshot mine: ')
  expect([status, objection]).toEqual([
    422,
    typeof reason === 'string' ? expect.stringContaining(reason) : expect.stringMatching(reason),
  ])
  expect(readdirSync(`${db}.snapshots`)).toEqual(['sound.ndjson.gz'])
  expect((await sandbox.control('GET', '/info')).answer.counts).toMatchObject({ accounts: 4 })
  expect(sandbox.problems).toEqual([])

  // The same file, put into the folder by hand, is restored without a check of the values in its columns.
  if (_what === 'a row with an invalid value') return
  writeFileSync(`${db}.snapshots/mine.ndjson.gz`, file)
  const refused = await sandbox.rawControl('POST', '/snapshots/mine/restore')
  expect([refused.status, String(refused.answer.detail).split(': ').slice(1).join(': ')]).toEqual([
    409,
    objection,
  ])
  expect((await sandbox.control('GET', '/info')).answer.counts).toMatchObject({ accounts: 4 })
  expect(sandbox.problems).toEqual([])
})

test('an upload with a Content-Length above the limit is refused before its body is read', async ({
  sandbox,
}) => {
  const { hostname, port } = new URL(sandbox.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `PUT /_sandbox/v1/snapshots/big/file HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${2 ** 40}\r\n\r\n`,
  )
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  expect(answer.toString()).toMatch(/^HTTP\/1.1 413 /)
})

test.for(['..%2fsandbox', '%2e%2e%2f%2e%2e%2fsandbox', '..%5csandbox', '%2fetc%2fpasswd', 'a%00', 'Upper'])(
  'a snapshot name that leads out of the folder is refused: %s',
  async (name, { folder }) => {
    const db = join(folder.path, 'sandbox.db')
    await using sandbox = await openSandbox({ db })
    await sandbox.control('POST', '/snapshots', { name: 'sound' })
    const before = readdirSync(folder.path, { recursive: true }).toSorted()
    const file = new Uint8Array(await downloadSnapshot(sandbox, 'sound'))
    const to = (method: string, more: string, body?: Uint8Array<ArrayBuffer>) =>
      fetch(`${sandbox.url}/_sandbox/v1/snapshots/${name}${more}`, { method, ...(body && { body }) })

    const answers = [await to('GET', '/file'), await to('PUT', '/file', file), await to('DELETE', '')]
    answers.push(await to('POST', '/restore'))

    for (const answer of answers) {
      expect([answer.status, await answer.text()]).toEqual([
        404,
        expect.stringContaining('There is no snapshot'),
      ])
    }
    expect(readdirSync(folder.path, { recursive: true }).toSorted()).toEqual(before)
  },
)

test('an aborted upload leaves nothing behind', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  await using sandbox = await openSandbox({ db })
  await sandbox.control('POST', '/snapshots', { name: 'sound' })
  const { hostname, port } = new URL(sandbox.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    'PUT /_sandbox/v1/snapshots/mine/file HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n\x1f\x8b',
  )
  await expect.poll(() => readdirSync(`${db}.snapshots`).length).toBe(2)
  socket.destroy()
  await expect.poll(() => readdirSync(`${db}.snapshots`)).toEqual(['sound.ndjson.gz'])
  expect(sandbox.problems).toEqual([])
})

test('the position and time of an event come from its columns, not from its data', async ({ sandbox }) => {
  await sandbox.createLink({})
  await sandbox.control('POST', '/snapshots', { name: 'sound' })
  const change = `update event set data = json_set(data, '$.seq', 0, '$.at', 'soon')`
  const odd = changeRows(await downloadSnapshot(sandbox, 'sound'), change)
  expect(await uploadSnapshot(sandbox, 'odd', odd)).toMatchObject({ status: 201 })
  expect(await sandbox.control('POST', '/snapshots/odd/restore')).toMatchObject({ status: 200 })
  const { events } = (await sandbox.control('GET', '/events')).answer as {
    events: { seq: number; at: string }[]
  }
  expect(events.length).toBeGreaterThan(2)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => events[0]!.seq + index))
  expect(events.map(({ at }) => Date.parse(at))).not.toContain(NaN)
})
