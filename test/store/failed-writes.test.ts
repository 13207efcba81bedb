import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectSqlite } from '../../server/store/sqlite/load-sqlite.ts'
import { TABLES } from '../../server/store/tables.ts'
import { createAccount, createLinkFor, type CreatedAccount } from '../support/account.ts'
import { newSchema, openConnection, postgresUrl } from '../support/postgres.ts'
import { openSandbox, type CreatedLink, type OpenSandbox } from '../support/sandbox.ts'

/** Which writes fail, counted from the call of `fail`: one write, all writes from a number on, or no write. */
type Failing = { readonly only: number } | { readonly from: number } | 'none'

/** A database whose writes can fail. */
interface FailingDatabase {
  readonly url: string
  fail(failing: Failing): Promise<void>
  /** The number of writes since the last call of `fail`. */
  writes(): Promise<number>
  /** All rows, with the names of snapshots. */
  content(): Promise<Readonly<Record<string, readonly Record<string, unknown>[]>>>
  [Symbol.asyncDispose](): Promise<void>
}

const MESSAGE = 'a planted failure'

/** Lets statements of SQLite fail in this process, commits included. */
function failingSqlite(): FailingDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'paylink-'))
  const file = join(folder, 'sandbox.db')
  type Statement = { readonly readonly: boolean; readonly source: string }
  const prototype = Object.getPrototypeOf(connectSqlite(':memory:').prepare('select 1')) as Record<
    'run' | 'all',
    (this: Statement, ...values: unknown[]) => unknown
  >
  const originals = { run: prototype.run, all: prototype.all }
  let fails = (_write: number): boolean => false
  let writes = 0
  for (const name of ['run', 'all'] as const) {
    prototype[name] = function (...values) {
      if ((!this.readonly || this.source === 'commit') && fails(++writes)) throw new Error(MESSAGE)
      return originals[name].apply(this, values)
    }
  }
  return {
    url: file,
    async fail(failing) {
      writes = 0
      fails = (write) =>
        failing !== 'none' && ('only' in failing ? write === failing.only : write >= failing.from)
    },
    writes: async () => writes,
    async content() {
      const db = connectSqlite(file, { readonly: true })
      const rows = TABLES.map((table) => [table, db.prepare(`select * from "${table}" order by 1`).all()])
      db.close()
      const names = readdirSync(`${file}.snapshots`).map((name) => ({ name }))
      return Object.fromEntries([...rows, ['snapshots', names]])
    },
    async [Symbol.asyncDispose]() {
      Object.assign(prototype, originals)
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Lets statements fail on the server. */
async function failingPostgres(server: string): Promise<FailingDatabase> {
  const { url, schema, ...opened } = newSchema(server)
  const connection = await openConnection(server)
  // The sandbox creates its tables.
  await (await openSandbox({ db: url })).close()
  const run = (text: string) => connection.query(text)
  await run(`set search_path to "${schema}"`)
  const named = await run(
    `select relname as name from pg_class
     where relnamespace = '"${schema}"'::regnamespace and relkind = 'r' and relname not in ('leader', 'follower')`,
  )
  const names = named.map(({ name }) => String(name))
  await run(
    `create sequence writes; create table failing as select 0::bigint as first, 0::bigint as last;
     create function fail() returns trigger language plpgsql as $$ declare write bigint; begin
       write := nextval('"${schema}".writes');
       if (select write between first and last from "${schema}".failing) then raise exception '${MESSAGE}'; end if;
       return null; end $$`,
  )
  await run(
    names
      .map(
        (name) =>
          `create trigger fail before insert or update or delete on "${name}" for each statement execute function fail()`,
      )
      .join('; '),
  )
  return {
    url,
    async fail(failing) {
      const [first, last] =
        failing === 'none'
          ? [0, 0]
          : 'only' in failing
            ? [failing.only, failing.only]
            : [failing.from, Number.MAX_SAFE_INTEGER]
      await run(`alter sequence writes restart; update failing set first = ${first}, last = ${last}`)
    },
    async writes() {
      const [row] = await run('select case when is_called then last_value else 0 end as writes from writes')
      return Number(row!.writes)
    },
    async content() {
      const rowsOf = (name: string) =>
        `select '${name}' as name, (select coalesce(json_agg(one)::text, '[]') from (select * from "${name}" order by 1) as one) as rows`
      const tables = await run(names.map(rowsOf).join(' union all '))
      return Object.fromEntries(tables.map(({ name, rows }) => [name, JSON.parse(String(rows))]))
    },
    async [Symbol.asyncDispose]() {
      await connection[Symbol.asyncDispose]()
      await opened[Symbol.asyncDispose]()
    },
  }
}

type Request = readonly [method: string, path: string, body?: unknown]

let database: FailingDatabase
let sandbox: OpenSandbox
let account: CreatedAccount

beforeAll(async () => {
  database = postgresUrl === undefined ? failingSqlite() : await failingPostgres(postgresUrl)
  // Nothing is written between requests.
  sandbox = await openSandbox({ db: database.url, keep: 0 })
  account = await createAccount(sandbox, { bankTransfer: true })
  await make('POST', '/snapshots', { name: 'first' })
})

afterAll(async () => {
  await sandbox?.close()
  await database?.[Symbol.asyncDispose]()
})

/** Returns the status of the answer. */
async function ask([method, path, body]: Request, apiKey = account.apiKey): Promise<number> {
  const response = await fetch(`${sandbox.url}${path}`, {
    method,
    headers: { token: apiKey, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (path.startsWith('/api/') && response.status === 200) expect(text).toContain('"ResponseCode":1')
  return response.status
}

const control = (method: string, path: string, body?: unknown): Request => [
  method,
  `/_sandbox/v1${path}`,
  body,
]

async function make(...request: Parameters<typeof control>): Promise<Record<string, unknown>> {
  const [method, path, body] = request
  const { status, answer } = await sandbox.rawControl(method, path, body)
  expect(status).toBeLessThan(300)
  return answer
}

const link = (): Promise<CreatedLink> => createLinkFor(sandbox, account)

async function paidLink(): Promise<CreatedLink> {
  const created = await link()
  await make('POST', `/links/${created.id}/pay`)
  return created
}

async function awaitingLink(): Promise<CreatedLink> {
  const created = await link()
  await make('POST', `/links/${created.id}/pay`, { method: 'bank-transfer' })
  return created
}

async function requestedRefund(): Promise<number> {
  const { id } = await paidLink()
  expect(await ask(['POST', '/api/v2/refundPayment', { pay_id: id, refund_amount: 1 }])).toBe(200)
  return id
}

async function disputedLink(): Promise<CreatedLink> {
  const created = await paidLink()
  await make('PUT', `/links/${created.id}/dispute`)
  return created
}

/** A paid link with a webhook that the egress policy holds. */
async function notifiedLink(): Promise<CreatedLink> {
  const { envelope } = await sandbox.call<CreatedLink>(
    'createLink',
    { amount: 1, payment_endpoint: 'https://shop.example/' },
    { token: account.apiKey },
  )
  await make('POST', `/links/${envelope.data.id}/pay`)
  return envelope.data
}

let number = 0
const unique = (): string => `n${++number}`

const newMap = () => ({ from: `https://${unique()}.example`, to: 'http://localhost:1' })

/**
 * Leaves little for later writes to replace. If an operation empties the sandbox itself, only its first request needs the
 * reset.
 */
async function startAfresh(isFirst = true): Promise<void> {
  if (isFirst) await make('POST', '/reset')
  account = await createAccount(sandbox, { bankTransfer: true })
}

/** A fault without effect. */
const FAULT = { on: 'webhook', script: 'drop', target: 'http://localhost:1/' }

/** One request of each operation that writes. The operation's preparations come first. */
const operations: Readonly<Record<string, (isFirst: boolean) => Promise<Request>>> = {
  createLink: async () => ['POST', '/api/v2/createLink', { amount: 5 }],
  createSplitLink: async () => [
    'POST',
    '/api/v2/createSplitLink',
    { amount: 5, recipients: [{ token: (await createAccount(sandbox)).recipientToken, share: 10 }] },
  ],
  refundPayment: async () => [
    'POST',
    '/api/v2/refundPayment',
    { pay_id: (await paidLink()).id, refund_amount: 1 },
  ],
  getTaxInvoiceList: async () => ['POST', '/api/v2/getTaxInvoiceList', {}],
  sendWebhookViaPayId: async () => [
    'POST',
    '/api/v2/sendWebhookViaPayId',
    { pay_ids: String((await notifiedLink()).id), status: 'Success' },
  ],
  'POST /accounts': async () => control('POST', '/accounts', { name: unique() }),
  'PATCH /accounts/{id}': async () => control('PATCH', `/accounts/${account.id}`, { name: unique() }),
  'DELETE /accounts/{id}': async () => control('DELETE', `/accounts/${(await createAccount(sandbox)).id}`),
  'POST /accounts/{id}/rotate': async () =>
    control('POST', `/accounts/${account.id}/rotate`, { secret: 'recipientToken' }),
  async 'POST /accounts/{id}/reset'() {
    const other = await createAccount(sandbox)
    await createLinkFor(sandbox, other)
    return control('POST', `/accounts/${other.id}/reset`)
  },
  'DELETE /links/{ref}': async () => control('DELETE', `/links/${(await link()).id}`),
  'PUT /links/{ref}/dispute': async () => control('PUT', `/links/${(await paidLink()).id}/dispute`),
  'DELETE /links/{ref}/dispute': async () => control('DELETE', `/links/${(await disputedLink()).id}/dispute`),
  'POST /links/{ref}/pay': async () => control('POST', `/links/${(await link()).id}/pay`),
  'POST /links/{ref}/cancel': async () => control('POST', `/links/${(await link()).id}/cancel`),
  'POST /links/{ref}/decline': async () => control('POST', `/links/${(await link()).id}/decline`),
  'POST /links/{ref}/approve-transfer': async () =>
    control('POST', `/links/${(await awaitingLink()).id}/approve-transfer`),
  'POST /links/{ref}/reject-transfer': async () =>
    control('POST', `/links/${(await awaitingLink()).id}/reject-transfer`),
  'POST /refunds/{payId}/approve': async () => control('POST', `/refunds/${await requestedRefund()}/approve`),
  'POST /refunds/{payId}/reject': async () => control('POST', `/refunds/${await requestedRefund()}/reject`),
  'PATCH /behaviors': async () =>
    control('PATCH', '/behaviors', { amountText: number++ % 2 ? 'shortest' : 'two-decimals' }),
  'POST /faults': async () => control('POST', '/faults', FAULT),
  async 'DELETE /faults/{id}'() {
    return control('DELETE', `/faults/${String((await make('POST', '/faults', FAULT)).id)}`)
  },
  async 'DELETE /faults'() {
    await make('POST', '/faults', FAULT)
    return control('DELETE', '/faults')
  },
  'PUT /tunnels/{name}/answer': async () =>
    control('PUT', '/tunnels/shop/answer', { status: 200 + (number++ % 2) }),
  async 'DELETE /tunnels/{name}/requests'() {
    await fetch(`${sandbox.url}/tunnel/shop/`, { method: 'POST', body: 'a=1' })
    return control('DELETE', '/tunnels/shop/requests')
  },
  'PUT /maps': async () => control('PUT', '/maps', { maps: [newMap()] }),
  async 'PATCH /maps'() {
    await make('PUT', '/maps', { maps: [] })
    return control('PATCH', '/maps', { add: [newMap()] })
  },
  'PUT /allowed-hosts': async () =>
    control('PUT', '/allowed-hosts', { allowedHosts: [`${unique()}.example`] }),
  async 'PATCH /allowed-hosts'() {
    await make('PUT', '/allowed-hosts', { allowedHosts: [] })
    return control('PATCH', '/allowed-hosts', { add: [`${unique()}.example`] })
  },
  'PUT /clock': async () =>
    control('PUT', '/clock', { now: new Date(1.9e12 + number++ * 1000).toISOString() }),
  'DELETE /clock': async () => {
    await make('PUT', '/clock', { now: new Date(1.9e12).toISOString() })
    return control('DELETE', '/clock')
  },
  async 'POST /clock/advance'() {
    await startAfresh()
    await paidLink()
    return control('POST', '/clock/advance', { months: 1 })
  },
  'POST /seed': async () => control('POST', '/seed', { accounts: [{ name: unique() }] }),
  'POST /snapshots': async () => control('POST', '/snapshots', { name: unique() }),
  async 'POST /snapshots/{name}/restore'(isFirst) {
    if (isFirst) await startAfresh()
    const name = unique()
    await make('POST', '/snapshots', { name })
    return control('POST', `/snapshots/${name}/restore`)
  },
  async 'DELETE /snapshots/{name}'() {
    const name = unique()
    await make('POST', '/snapshots', { name })
    return control('DELETE', `/snapshots/${name}`)
  },
  async 'POST /reset'(isFirst) {
    await startAfresh(isFirst)
    await paidLink()
    return control('POST', '/reset')
  },
  async 'POST /reset/undo'(isFirst) {
    if (isFirst) await startAfresh()
    await make('POST', '/reset')
    return control('POST', '/reset/undo')
  },
}

test.for(Object.entries(operations))(
  'if writes of %s fail before it is done, it answers an error, and nothing of it is stored',
  async ([_name, prepare]) => {
    let errors = 0
    for (let from = 1; ; from++) {
      const request = await prepare(from === 1)
      await sandbox.settled()
      const before = await database.content()
      await database.fail({ from })
      const status = await ask(request)
      const isOver = (await database.writes()) < from
      await database.fail('none')
      await sandbox.settled()
      const after = await database.content()
      if (status < 300) {
        // The write was done before the failure. Only a later step can have failed.
        expect(after).not.toEqual(before)
        if (isOver) break
        continue
      }
      expect(status).toBe(500)
      errors++
      expect(after).toEqual(before)
      // What the sandbox knows without reading it is also as before.
      expect(await ask(request)).toBeLessThan(300)
      await sandbox.settled()
      expect(gapsIn(before.event!, (await database.content()).event!)).toEqual([])
    }
    expect(errors).toBeGreaterThan(0)
  },
)

test('if one write of calls that arrive together fails, each call is done once, or answers an error and leaves nothing', async () => {
  const others = [account, await createAccount(sandbox), await createAccount(sandbox)]
  const failed: number[] = []
  for (let only = 1; ; only++) {
    const notes = others.map(unique)
    await database.fail({ only })
    const statuses = await Promise.all(
      others.map(({ apiKey }, index) =>
        ask(['POST', '/api/v2/createLink', { amount: 5, recipient_note: notes[index] }], apiKey),
      ),
    )
    const isOver = (await database.writes()) < only
    await database.fail('none')
    const stored = (await database.content()).link!.map(({ note }) => note)
    expect(notes.map((note) => stored.filter((one) => one === note).length)).toEqual(
      statuses.map((status) => (status === 200 ? 1 : 0)),
    )
    failed.push(statuses.filter((status) => status === 500).length)
    if (isOver) break
  }
  expect(failed.at(-1)).toBe(0)
  // SQLite answers errors. PostgreSQL runs the calls of the group again, and this time their writes work.
  if (postgresUrl === undefined) expect(failed).toContain(1)
})

/** The numbers that are missing in the journal after `before`. */
function gapsIn(
  before: readonly Record<string, unknown>[],
  after: readonly Record<string, unknown>[],
): number[] {
  const known = new Set(after.map(({ seq }) => Number(seq)))
  const first = Number(before.at(-1)?.seq ?? 0) + 1
  // A reset begins a new journal.
  const newest = Math.max(0, ...known)
  return Array.from({ length: Math.max(0, newest - first + 1) }, (_none, index) => first + index).filter(
    (seq) => !known.has(seq),
  )
}
