import { expect } from 'vitest'
import { TABLES } from '../../server/store/tables.ts'
import { startCuttingProxy } from '../support/cutting-proxy.ts'
import { followStream } from '../support/follow-stream.ts'
import { newSchema, postgresUrl, query } from '../support/postgres.ts'
import { roleOf, startReplicas } from '../support/replicas.ts'
import { callsOf } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const server = postgresUrl ?? ''

type Rows = Readonly<Record<string, readonly string[]>>

/** All rows of a schema as text, by table. */
async function rowsOf(schema: string): Promise<Rows> {
  const tables = [...TABLES, 'snapshot', 'snapshotPart']
  const selects = tables.map(
    (table) => `select '${table}' as "name", one::text as "row" from "${schema}"."${table}" one`,
  )
  const rows = await query(server, selects.join(' union all '))
  const of = (table: string) => rows.filter(({ name }) => name === table).map(({ row }) => String(row))
  return Object.fromEntries(tables.map((table) => [table, of(table).toSorted()]))
}

/** Leaves out the last column of accounts, a number that changes with every change of the account. */
const accountsAndLinks = ({ account, link }: Rows) => ({
  accounts: account!.map((row) => row.replace(/,\d+\)$/, ')')),
  link,
})

type Calls = ReturnType<typeof callsOf>

const post = async ({ rawControl }: Calls, path: string, body: object): Promise<void> => {
  expect((await rawControl('POST', path, body)).status).toBeLessThan(300)
}

/**
 * `within`: the text of a statement in the middle of the change. `begun`: an earlier statement of the change, which no other
 * unit of work sends.
 */
interface Change {
  readonly name: string
  readonly begun: string
  readonly within: string
  readonly prepare?: (calls: Calls) => Promise<void>
  readonly send: (calls: Calls) => Promise<void>
  readonly startsEpoch: boolean
  /** The state after the change: as at the start, with the first link, or with both links. */
  readonly becomes: 'empty' | 'first' | 'both'
  readonly snapshots: readonly string[]
}

/** Each connection sends the text of a statement with parameters only once, so these statements have none. */
const EMPTIED = ['delete from "account"', 'delete from "meta"'] as const

const CHANGES: readonly Change[] = [
  {
    name: 'restore',
    begun: EMPTIED[0],
    within: EMPTIED[1],
    send: (calls) => post(calls, '/snapshots/first/restore', {}),
    startsEpoch: true,
    becomes: 'first',
    snapshots: ['first'],
  },
  {
    name: 'reset',
    begun: EMPTIED[0],
    within: EMPTIED[1],
    send: (calls) => post(calls, '/reset', { to: 'seed' }),
    startsEpoch: true,
    becomes: 'empty',
    snapshots: ['before-reset', 'first'],
  },
  {
    name: 'undo of a reset',
    begun: EMPTIED[0],
    within: EMPTIED[1],
    prepare: (calls) => post(calls, '/reset', { to: 'seed' }),
    send: (calls) => post(calls, '/reset/undo', {}),
    startsEpoch: true,
    becomes: 'both',
    snapshots: ['before-reset', 'first'],
  },
  {
    name: 'snapshot',
    begun: 'select count(*) as "rows" from "account"',
    within: 'as "rows" from "accountOriginal"',
    send: (calls) => post(calls, '/snapshots', { name: 'second' }),
    startsEpoch: false,
    becomes: 'both',
    snapshots: ['first', 'second'],
  },
]

test.for(CHANGES.map((change) => [change.name, change] as const))(
  'if the leader is killed, the %s is done completely or not at all, and streams continue',
  async ([, { begun, within, prepare, send, startsEpoch, becomes, snapshots }], { folder }) => {
    await using firstProxy = await startCuttingProxy(server)
    await using secondProxy = await startCuttingProxy(server)
    const schema = newSchema()
    await using replicas = await startReplicas(folder.path, 0, [], schema)
    const startBehind = (proxy: { url: string }) => replicas.start(schema.url.replace(server, proxy.url))
    const rows = () => rowsOf(schema.schema)
    const first = await startBehind(firstProxy)
    const second = await startBehind(secondProxy)

    const calls = callsOf(second.url)
    const empty = await rows()
    await calls.createLink({ recipient_note: 'one' })
    await post(calls, '/snapshots', { name: 'first' })
    const firstLink = await rows()
    await calls.createLink({ recipient_note: 'two' })
    const bothLinks = await rows()
    await prepare?.(calls)
    const before = await rows()
    const beforeEvents = await eventsOf(calls)
    const { epoch } = await infoOf(calls)

    const held = firstProxy.cutAt(within, 'hold', begun)
    const broken = isBroken(send(calls))
    await held
    await first.end('SIGKILL')
    expect(await broken).toBe(true)
    await untilLeading(second.url)

    const { event, ...others } = await rows()
    const { event: oldEvent, ...oldOthers } = before
    expect(others).toEqual(oldOthers)
    expect(event).toEqual(expect.arrayContaining([...oldEvent!]))
    const last = beforeEvents.at(-1)!.seq
    await using resumed = await followStream(second.url, `?after=${last}&epoch=${epoch}`)
    await resumed.until(() => resumed.seqs().length > 0)
    expect(resumed.messages[0]).toMatchObject({ type: 'hello', epoch })
    const newEvents = (await eventsOf(calls)).slice(beforeEvents.length)
    expect(newEvents).toMatchObject([{ seq: last + 1, type: 'sandbox.started' }])
    expect(resumed.seqs()).toEqual([last + 1])

    const third = await replicas.start(schema.url)
    const later = callsOf(third.url)
    const committed = secondProxy.cutAt('commit', 'mute', begun)
    const alsoBroken = isBroken(send(later))
    await committed
    await expect.poll(rows).not.toEqual({ event, ...others })
    await second.end('SIGKILL')
    expect(await alsoBroken).toBe(true)
    await untilLeading(third.url)

    expect(accountsAndLinks(await rows())).toEqual(
      accountsAndLinks({ empty, first: firstLink, both: bothLinks }[becomes]),
    )
    const kept = await later.control('GET', '/snapshots')
    expect(kept.answer.snapshots.map(({ name }) => name)).toEqual(snapshots)
    const info = await infoOf(later)
    expect(info.epoch === epoch).toBe(!startsEpoch)
    const events = await eventsOf(later)
    expect(events.at(-1)).toMatchObject({ type: 'sandbox.started' })
    await using again = await followStream(third.url, `?after=${last + 1}&epoch=${epoch}`)
    const expected = events.map(({ seq }) => seq).filter((seq) => startsEpoch || seq > last + 1)
    await again.until(() => again.seqs().length >= expected.length)
    expect(again.messages[0]).toMatchObject({ type: 'hello', epoch: info.epoch })
    expect(again.seqs()).toEqual(expected)
    await later.createLink()
  },
)

const untilLeading = (url: string): Promise<void> => expect.poll(() => roleOf(url)).toBe('leader')

/** Whether the connection ended before an answer. */
const isBroken = (answer: Promise<void>): Promise<boolean> =>
  answer.then(
    () => false,
    (error: unknown) => error instanceof TypeError,
  )

async function infoOf({ control }: Calls) {
  return (await control('GET', '/info')).answer
}

/** The whole journal, oldest event first. */
async function eventsOf({ control }: Calls) {
  const { answer } = await control('GET', '/events?limit=1000')
  return answer.events.toSorted((one, other) => one.seq - other.seq)
}
