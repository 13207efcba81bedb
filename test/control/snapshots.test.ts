import SQLite from 'better-sqlite3'
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { followStream } from '../support/follow-stream.ts'
import { startReceiver } from '../support/receiver.ts'
import { openSandbox, shop, type OpenSandbox } from '../support/sandbox.ts'
import { packSnapshot, rowsOf, unpackSnapshot } from '../support/snapshot-file.ts'
import { test } from '../support/test.ts'

const names = async ({ control }: Pick<OpenSandbox, 'control'>) =>
  (await control('GET', '/snapshots')).answer.snapshots.map(({ name }) => name)

const databases = [
  ['in memory', () => ':memory:'],
  ['in a file', (folder: string) => join(folder, 'sandbox.db')],
] as const

test.for(databases)(
  'a snapshot %s restores rows, ids, journal, clock and behaviors',
  async ([_where, db], { folder }) => {
    await using sandbox = await openSandbox({ db: db(folder.path) })
    const { control, createLink } = sandbox
    await createLink({ recipient_note: 'Order 7' })
    await control('POST', '/links/1001/pay')
    await control('PATCH', '/behaviors', { amountText: 'two-decimals' })
    await control('PUT', '/clock', { now: '2027-01-01T00:00:00Z', mode: 'frozen' })
    const { answer: before } = await control('GET', '/events?limit=1000')

    const taken = await control('POST', '/snapshots', { name: 'paid' })
    expect([taken.status, taken.answer]).toMatchObject([
      201,
      {
        name: 'paid',
        takenAt: '2027-01-01T00:00:00.000Z',
        links: 1,
        size: expect.any(Number),
        problem: null,
      },
    ])
    await createLink()
    await control('PATCH', `/accounts/${shop.id}`, { name: 'Another name' })
    await control('PATCH', '/behaviors', { amountText: null })
    await control('DELETE', '/clock')
    const epoch = (await control('GET', '/info')).answer.epoch

    const restored = await control('POST', '/snapshots/paid/restore')
    expect([restored.status, restored.answer.epoch]).toEqual([200, expect.not.stringMatching(String(epoch))])
    expect((await control('GET', '/info')).answer).toMatchObject({
      epoch: restored.answer.epoch,
      clock: { now: '2027-01-01T00:00:00.000Z', mode: 'frozen' },
      counts: { links: 1, deliveries: 1 },
      behaviors: { amountText: 'two-decimals' },
    })
    expect((await control('GET', `/accounts/${shop.id}`)).answer.name).toBe(shop.name)
    const { answer: after } = await control('GET', '/events?limit=1000')
    expect(after.events.slice(0, -1)).toEqual(before.events)
    expect(after.events.at(-1)).toMatchObject({
      seq: before.events.length + 1,
      type: 'sandbox.restored',
      snapshot: 'paid',
      undo: false,
    })
    expect((await createLink()).id).toBe(1002)
    expect(sandbox.problems).toEqual([])
  },
)

test('a restore sends stream clients a new greeting, and the journal from its beginning', async ({
  sandbox,
}) => {
  await sandbox.createLink()
  await sandbox.control('POST', '/snapshots', { name: 'one' })
  for (let links = 0; links < 3; links++) await sandbox.createLink()
  await using follower = await followStream(sandbox.url)
  const greetings = () => follower.messages.filter(({ type }) => type === 'hello')
  await follower.until(() => follower.seqs().includes(9))
  const read = follower.seqs().length

  await sandbox.control('POST', '/snapshots/one/restore')
  await follower.until(() => greetings().length === 2 && follower.seqs().length === read + 4)
  expect(follower.seqs().slice(read)).toEqual([1, 2, 3, 4])
})

test('a wait for an event continues after a restore', async ({ sandbox }) => {
  await sandbox.createLink()
  await sandbox.control('POST', '/snapshots', { name: 'one' })
  const waiting = waitingFor(sandbox, { match: { type: 'link.paid', payId: 1001 }, after: 1_000 })
  // The first request may arrive before the wait has begun.
  while (waiting.isOn()) {
    await sandbox.control('POST', '/snapshots/one/restore')
    await sandbox.control('POST', '/links/1001/pay')
  }
  expect((await waiting.answer).status).toBe(200)
})

test('a wait for events after a seq ignores older events that are restored', async ({ sandbox }) => {
  await sandbox.createLink()
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.control('POST', '/snapshots', { name: 'paid' })
  const waiting = waitingFor(sandbox, { match: { type: 'link.paid' }, after: 1_000 })
  while (waiting.isOn()) {
    await sandbox.control('POST', '/snapshots/paid/restore')
    await sandbox.createLink()
    await sandbox.control('POST', '/links/1002/pay')
  }
  expect((await waiting.answer).answer.events).toMatchObject([{ payId: 1002 }])
})

test('a wait that includes past events also finds restored events', async ({ sandbox }) => {
  await sandbox.createLink()
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.control('POST', '/snapshots', { name: 'paid' })
  await sandbox.control('POST', '/reset')
  const waiting = waitingFor(sandbox, { match: { type: 'link.paid' } })
  await sandbox.control('POST', '/snapshots/paid/restore')
  expect((await waiting.answer).answer.events).toMatchObject([{ payId: 1001 }])
})

function waitingFor({ control }: Pick<OpenSandbox, 'control'>, wish: object) {
  let isOn = true
  const answer = control('POST', '/events/wait', { ...wish, timeoutMs: 20_000 })
  return { isOn: () => isOn, answer: answer.finally(() => (isOn = false)) }
}

test('a restore keeps the startup behaviors, and restores the others', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  const inForce = async ({ control }: Pick<OpenSandbox, 'control'>) =>
    (await control('GET', '/info')).answer.behaviors
  {
    await using first = await openSandbox({ db, behaviors: { payId: 'distinct' } })
    await first.control('PATCH', '/behaviors', { amountText: 'two-decimals' })
    await first.control('POST', '/snapshots', { name: 'first' })
    await first.control('POST', '/reset')
  }
  await using second = await openSandbox({ db, behaviors: { errorStatus: 'http' } })
  const standard = await inForce(second)
  for (const path of ['/reset/undo', '/snapshots/first/restore'] as const) {
    expect((await second.control('POST', path)).status).toBe(200)
    expect(await inForce(second)).toEqual({ ...standard, amountText: 'two-decimals' })
  }
  expect(standard).toMatchObject({ errorStatus: 'http' })
})

test('a webhook that was pending in the snapshot is sent again, marked as a possible duplicate', async ({
  sandbox,
}) => {
  let isOpen = false
  let letGo: () => void = () => undefined
  await using receiver = await startReceiver((_received, response) => {
    if (isOpen) response.end()
    else letGo = () => response.end()
  })
  const { control } = sandbox
  const link = await sandbox.createLink({ payment_endpoint: `${receiver.url},${receiver.url}` })
  await control('POST', `/links/${link.id}/pay`, { wait: 'accepted' })
  await receiver.count(1)
  await control('POST', '/snapshots', { name: 'underway' })
  isOpen = true
  letGo()
  await sandbox.settled()
  const state = async () =>
    (await control('GET', '/deliveries')).answer.deliveries.map((delivery) => [
      delivery.state,
      delivery.possibleDuplicate,
      delivery.attempts.length,
    ])
  expect(await state()).toEqual([
    ['delivered', false, 1],
    ['delivered', false, 1],
  ])

  await control('POST', '/snapshots/underway/restore')
  await receiver.count(4)
  await sandbox.settled()
  expect(await state()).toEqual([
    ['delivered', true, 1],
    ['delivered', true, 1],
  ])
  expect(receiver.received).toHaveLength(4)
})

test('an attempt that ends after a restore is not recorded in the new journal', async ({ sandbox }) => {
  const answers: (() => void)[] = []
  await using receiver = await startReceiver((_received, response) => answers.push(() => response.end()))
  const link = await sandbox.createLink({ payment_endpoint: receiver.url })
  await sandbox.control('POST', '/snapshots', { name: 'unpaid' })
  await sandbox.control('POST', `/links/${link.id}/pay`, { wait: 'accepted' })
  await receiver.count(1)

  await sandbox.control('POST', '/snapshots/unpaid/restore')
  answers[0]!()
  await sandbox.settled()
  const { answer } = await sandbox.control('GET', '/events')
  expect(answer.events.map(({ type }) => type)).not.toContain('delivery.attempted')
  expect((await sandbox.control('GET', `/links/${link.id}`)).answer.status).toBe('unused')
})

test('a snapshot is a file that another sandbox can restore', async ({ folder }) => {
  const [here, there] = [join(folder.path, 'here.db'), join(folder.path, 'there.db')]
  await using first = await openSandbox({ db: here })
  await first.createLink({ recipient_note: 'Order 7' })
  await first.control('POST', '/snapshots', { name: 'order-7' })

  const file = `${here}.snapshots/order-7.ndjson.gz`
  expect(rowsOf(readFileSync(file)).link).toMatchObject([{ id: 1001, note: 'Order 7' }])
  expect(statSync(file).mode & 0o777).toBe(0o600)

  mkdirSync(`${there}.snapshots`)
  copyFileSync(file, `${there}.snapshots/order-7.ndjson.gz`)
  await using second = await openSandbox({ db: there })
  expect((await second.control('POST', '/snapshots/order-7/restore')).status).toBe(200)
  expect((await second.control('GET', '/links/1001')).answer.note).toBe('Order 7')
})

test('a file that cannot be restored, such as a snapshot of another version, is listed with the reason', async ({
  folder,
}) => {
  const db = join(folder.path, 'sandbox.db')
  await using sandbox = await openSandbox({ db })
  for (const name of ['newer', 'sound']) await sandbox.control('POST', '/snapshots', { name })
  const newer = `${db}.snapshots/newer.ndjson.gz`
  const { header, lines } = unpackSnapshot(readFileSync(newer))
  writeFileSync(newer, packSnapshot({ header: { ...header, version: '0' }, lines }))
  writeFileSync(`${db}.snapshots/notes.ndjson.gz`, 'These are notes.')

  const { answer } = await sandbox.control('GET', '/snapshots')
  expect(answer.snapshots.map(({ name, problem }) => [name, problem === null])).toEqual([
    ['newer', false],
    ['notes', false],
    ['sound', true],
  ])
  const refused = await sandbox.rawControl('POST', '/snapshots/newer/restore')
  expect([refused.status, refused.answer.detail]).toEqual([
    409,
    'The snapshot newer cannot be restored: it was taken by another version of paylink-sandbox. Take a snapshot with this version',
  ])
  expect((await sandbox.rawControl('POST', '/snapshots/notes/restore')).answer.detail).toContain(
    'it is not a snapshot: it is not in gzip format',
  )
  expect((await sandbox.control('GET', '/info')).answer.counts).toMatchObject({ accounts: 4 })
})

test('a snapshot is kept until it is deleted, is replaced on request only, and survives a restart', async ({
  folder,
}) => {
  const db = join(folder.path, 'sandbox.db')
  const first = await openSandbox({ db })
  await first.control('POST', '/snapshots', { name: 'a' })
  const again = await first.rawControl('POST', '/snapshots', { name: 'a' })
  expect([again.status, again.answer.detail]).toEqual([409, expect.stringContaining('"replace": true')])
  await first.createLink()
  expect((await first.control('POST', '/snapshots', { name: 'a', replace: true })).status).toBe(201)
  await first.close()

  await using second = await openSandbox({ db })
  await second.control('POST', '/reset')
  await second.control('POST', '/snapshots/a/restore')
  expect((await second.control('GET', '/links/1001')).status).toBe(200)
  expect((await second.control('DELETE', '/snapshots/a')).status).toBe(204)
  expect(await names(second)).toEqual(['before-reset'])
  for (const [method, path] of [
    ['DELETE', '/snapshots/a'],
    ['POST', '/snapshots/a/restore'],
  ] as const) {
    const gone = await second.rawControl(method, path)
    expect([gone.status, gone.answer.detail]).toEqual([404, expect.stringContaining('no snapshot a')])
  }
})

test.for([
  ['whose work fails', "select raise(abort, 'broken')"],
  ['whose commit fails', 'insert into child values (1)'],
] as const)(
  'a snapshot %s leaves no file, and keeps the previous one of that name',
  async ([_title, failingStatement], { folder }) => {
    const db = join(folder.path, 'sandbox.db')
    await using sandbox = await openSandbox({ db })
    const files = () => readdirSync(`${db}.snapshots`)
    await sandbox.control('POST', '/snapshots', { name: 'kept' })
    const { answer: before } = await sandbox.control('GET', '/snapshots')
    await sandbox.createLink()
    const other = new SQLite(db)
    // SQLite checks foreign keys at the end of the transaction.
    other.exec(`create table parent (id integer primary key);
    create table child (of integer references parent deferrable initially deferred);
    create trigger broken before insert on event when new.type in ('snapshot.taken', 'sandbox.reset') begin ${failingStatement}; end`)

    for (const [path, body] of [
      ['/snapshots', { name: 'new' }],
      ['/snapshots', { name: 'kept', replace: true }],
      ['/reset', {}],
    ] as const) {
      expect((await sandbox.control('POST', path, body)).status).toBe(500)
    }
    expect(files()).toEqual(['kept.ndjson.gz'])
    expect((await sandbox.control('GET', '/snapshots')).answer).toEqual(before)

    other.exec('drop trigger broken; drop table child; drop table parent')
    other.close()
    for (const name of ['new', 'kept']) {
      expect((await sandbox.control('POST', '/snapshots', { name, replace: true })).status).toBe(201)
    }
    expect(files()).toEqual(['kept.ndjson.gz', 'new.ndjson.gz'])
    await sandbox.control('POST', '/reset')
    await sandbox.control('POST', '/snapshots/kept/restore')
    expect((await sandbox.control('GET', '/links/1001')).status).toBe(200)
  },
)

test('a snapshot that was being replaced when the process ended is complete after the next start', async ({
  folder,
}) => {
  const db = join(folder.path, 'sandbox.db')
  const first = await openSandbox({ db })
  for (const name of ['a', 'b']) await first.control('POST', '/snapshots', { name })
  await first.close()
  const path = (file: string) => join(`${db}.snapshots`, file)
  renameSync(path('a.ndjson.gz'), path('a.1.ndjson.gz.old'))
  copyFileSync(path('b.ndjson.gz'), path('b.1.ndjson.gz.old'))

  await using second = await openSandbox({ db })
  expect(await names(second)).toEqual(['a', 'b'])
  expect(readdirSync(`${db}.snapshots`)).toEqual(['a.ndjson.gz', 'b.ndjson.gz'])
})

test.for(['../sandbox', 'a/b', 'a\\b', '.hidden', 'A', 'ä', '', 'a'.repeat(65), 'a.db', 'before-reset'])(
  'a snapshot cannot be named %j',
  async (name, { folder }) => {
    await using sandbox = await openSandbox({ db: join(folder.path, 'sandbox.db') })
    const files = () => readdirSync(folder.path, { recursive: true }).toSorted()
    const before = files()
    const taken = await sandbox.control('POST', '/snapshots', { name })
    expect(taken.status).toBe(name === 'before-reset' ? 422 : 400)
    const path = `/snapshots/${encodeURIComponent(name)}`
    expect((await sandbox.rawControl('DELETE', path)).status).toBe(404)
    expect((await sandbox.rawControl('POST', `${path}/restore`)).status).toBe(404)
    expect(files()).toEqual(before)
  },
)

test.for(databases)('a reset %s can be undone once', async ([_where, db], { folder }) => {
  await using sandbox = await openSandbox({ db: db(folder.path) })
  const { control, rawControl, createLink } = sandbox
  const undo = () => rawControl('POST', '/reset/undo')
  expect([(await undo()).status, (await undo()).answer.detail]).toEqual([
    409,
    expect.stringContaining('There is no reset to undo'),
  ])

  await createLink({ recipient_note: 'Order 7' })
  await control('POST', '/links/1001/pay')
  await control('DELETE', `/accounts/${(await control('POST', '/accounts')).answer.id}`)
  await control('PATCH', '/behaviors', { payId: 'distinct' })
  await control('PUT', '/clock', { now: '2027-01-01T00:00:00Z', mode: 'frozen' })
  const { answer: before } = await control('GET', '/events?limit=1000')
  await control('POST', '/reset', { to: 'empty' })
  expect(await names(sandbox)).toEqual(['before-reset'])

  expect((await undo()).status).toBe(200)
  const { answer: after } = await control('GET', '/events?limit=1000')
  expect(after.events.slice(0, -1)).toEqual(before.events)
  expect(after.events.at(-1)).toMatchObject({ type: 'sandbox.restored', undo: true })
  expect((await control('GET', '/info')).answer).toMatchObject({
    clock: { now: '2027-01-01T00:00:00.000Z' },
    counts: { accounts: 4, links: 1, deliveries: 1 },
    behaviors: { payId: 'distinct' },
  })
  const again = await undo()
  expect([again.status, again.answer.detail]).toEqual([409, 'The last reset was already undone'])

  await control('POST', '/reset')
  await control('DELETE', '/snapshots/before-reset')
  expect((await undo()).answer.detail).toBe('The state before the last reset is no longer stored')
  expect(sandbox.problems).toEqual([])
})

test('a snapshot after a reset does not include the space of deleted rows', async ({ folder }) => {
  await using sandbox = await openSandbox({ db: join(folder.path, 'sandbox.db') })
  for (let links = 0; links < 20; links++) await sandbox.createLink({ recipient_note: 'n'.repeat(20_000) })
  const size = async (name: string) => (await sandbox.control('POST', '/snapshots', { name })).answer.size
  const before = await size('before')
  await sandbox.control('POST', '/reset')
  expect(await size('after')).toBeLessThan(before / 4)
})

test('only the last of two resets can be undone', async ({ sandbox }) => {
  await sandbox.createLink()
  const first = await sandbox.control('POST', '/reset')
  for (let links = 0; links < 2; links++) await sandbox.createLink()
  const last = await sandbox.control('POST', '/reset')
  const undo = ({ answer: { epoch } }: typeof first) => sandbox.rawControl('POST', '/reset/undo', { epoch })

  const refused = await undo(first)
  expect([refused.status, refused.answer.detail]).toEqual([
    409,
    'The sandbox was reset again since. Only its last reset can be undone',
  ])
  expect((await sandbox.control('GET', '/info')).answer).toMatchObject({
    epoch: last.answer.epoch,
    counts: { links: 0 },
  })
  expect((await undo(last)).status).toBe(200)
  expect((await sandbox.control('GET', '/info')).answer.counts).toMatchObject({ links: 2 })
  for (const reset of [first, last]) {
    expect((await undo(reset)).answer.detail).toBe('The last reset was already undone')
  }
})

test.for(databases)(
  'if a reset %s follows another one, the undo of the first is kept',
  async ([_where, db], { folder }) => {
    await using sandbox = await openSandbox({ db: db(folder.path) })
    await sandbox.createLink()
    await Promise.all([sandbox.control('POST', '/reset'), sandbox.control('POST', '/reset')])
    const { answer } = await sandbox.control('POST', '/reset', { to: 'empty' })
    expect((await sandbox.control('POST', '/reset/undo', { epoch: answer.epoch })).status).toBe(200)
    expect((await sandbox.control('GET', '/info')).answer.counts).toMatchObject({ links: 1 })
  },
)

test('a restart does not replace the undo of a reset, but a changed clock does', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  const first = await openSandbox({ db })
  await first.createLink()
  await first.control('POST', '/reset')
  await first.close()
  for (const clock of ['2027-01-01T00:00:00Z', undefined]) await (await openSandbox({ db, clock })).close()

  await using last = await openSandbox({ db })
  await last.control('POST', '/reset')
  await last.control('POST', '/reset/undo')
  expect((await last.control('GET', '/info')).answer.counts).toMatchObject({ links: 1 })

  await last.control('POST', '/reset')
  await last.control('PUT', '/clock', { now: '2028-01-01T00:00:00Z', mode: 'frozen' })
  await last.control('POST', '/reset')
  await last.control('POST', '/reset/undo')
  expect((await last.control('GET', '/info')).answer).toMatchObject({
    counts: { links: 0 },
    clock: { now: '2028-01-01T00:00:00.000Z' },
  })
})

test('a webhook deleted by a reset is sent after the undo, marked if it was being sent', async ({
  sandbox,
}) => {
  let isOpen = false
  const answers: (() => void)[] = []
  await using receiver = await startReceiver((_received, response) => {
    if (isOpen) response.end()
    else answers.push(() => response.end())
  })
  const link = await sandbox.createLink({ payment_endpoint: `${receiver.url},${receiver.url}` })
  await sandbox.control('POST', `/links/${link.id}/pay`, { wait: 'accepted' })
  await receiver.count(1)
  await sandbox.control('POST', '/reset')
  await sandbox.control('POST', '/reset/undo')
  isOpen = true
  for (const answer of answers) answer()
  await receiver.count(3)
  await sandbox.settled()

  const { answer } = await sandbox.control('GET', '/deliveries')
  expect(answer.deliveries.map(({ id, state, possibleDuplicate }) => [id, state, possibleDuplicate])).toEqual(
    [
      [2, 'delivered', false],
      [1, 'delivered', true],
    ],
  )
})
