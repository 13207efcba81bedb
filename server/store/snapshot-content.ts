import type SQLite from 'better-sqlite3'
import { readHostPattern } from '../domain/allowed-host.ts'
import { isInReach } from '../domain/clock.ts'
import type { Delivery, DeliveryState } from '../domain/delivery.ts'
import { eventTypes } from '../domain/events.ts'
import type { DisputeState, Link, LinkStatus, PaymentMethod } from '../domain/link.ts'
import { places } from '../domain/fault.ts'
import { objectionToFrom, objectionToTo } from '../domain/map-objections.ts'
import type { RefundState } from '../domain/refund.ts'
import { areWaits } from '../domain/retries.ts'
import type { Outlet } from './outlets.ts'

const LIST = 'array'
const RECORD = 'object'

/** Columns that hold JSON, which is read without another look. */
const SHAPES = [
  ['account', 'callbackUrls', LIST],
  ['account', 'webhookUrls', LIST],
  ['account', 'billing', RECORD],
  ['link', 'recipients', LIST],
  ['link', 'targets', LIST],
  ['beginning', 'account', RECORD],
  ['beginning', 'invoices', LIST],
  ['fault', 'script', LIST],
  ['delivery', 'fault', RECORD],
  ['delivery', 'redirect', RECORD],
  ['tunnel', 'headers', LIST],
  ['event', 'data', RECORD],
  ['event', 'exchange', RECORD],
] as const

const METHODS = ['card', 'bank-transfer'] satisfies PaymentMethod[]

/** Columns that hold one of a few words, by which everything else goes. */
const WORDS: readonly (readonly [table: string, column: string, words: readonly string[]])[] = [
  ['account', 'environment', ['development', 'production']],
  ['link', 'status', ['unused', 'awaiting-transfer', 'paid', 'cancelled', 'deleted'] satisfies LinkStatus[]],
  ['link', 'kind', ['split', 'basic'] satisfies Link['kind'][]],
  ['link', 'splitType', ['normal', 'absolute'] satisfies Link['splitType'][]],
  ['link', 'paidBy', METHODS],
  ['link', 'dispute', ['open', 'won', 'lost'] satisfies DisputeState[]],
  ['refund', 'state', ['pending', 'approved', 'rejected'] satisfies RefundState[]],
  ['delivery', 'state', ['pending', 'underway', 'delivered', 'failed', 'held'] satisfies DeliveryState[]],
  ['fault', 'on', places],
  ['event', 'type', eventTypes],
  ['outlet', 'source', ['start', 'sandbox']],
]

/** What rows hold that no sandbox writes, and that would stop one that read them. `null` for nothing. */
export function rowsObjection(db: SQLite.Database, tables: readonly string[]): string | null {
  const columns = new Set(
    tables.flatMap((table) =>
      (db.pragma(`table_info("${table}")`) as { name: string }[]).map(({ name }) => `${table}.${name}`),
    ),
  )
  const isAny = (table: string, where: string, ...values: readonly string[]): boolean =>
    tables.includes(table) &&
    db.prepare(`select 1 from "${table}" not indexed where ${where} limit 1`).get(...values) !== undefined

  for (const [table, column, shape] of SHAPES) {
    // An older schema has not all of them, and SQLite takes a column that is not there for a text.
    if (!columns.has(`${table}.${column}`)) continue
    const isOther = `iif(json_valid("${column}"), json_type("${column}") <> '${shape}', true)`
    if (isAny(table, `"${column}" is not null and ${isOther}`)) return oddValue(table, column)
  }
  for (const [table, column, words] of WORDS) {
    if (isAny(table, `"${column}" not in (${words.map(() => '?').join(', ')})`, ...words)) {
      return oddValue(table, column)
    }
  }
  const isOdd = `"data" ->> '$.type' is not "type" or ("type" = 'link.paid' and "data" ->> '$.method' not in (?, ?))`
  if (isAny('event', isOdd, ...METHODS)) return oddValue('event', 'data')

  const clock = db.prepare(`select value from meta where key = 'clock'`).pluck().get()
  if (clock !== undefined && !isClock(String(clock))) return oddValue('meta', 'value')
  const column = oddColumnOfWaiting(db)
  if (column !== undefined) return oddValue('delivery', column)
  const side = tables.includes('outlet') ? oddSideOfOutlet(db) : undefined
  return side === undefined ? null : oddValue('outlet', side)
}

const oddValue = (table: string, column: string): string =>
  `a row of its table ${table} holds in ${column} what no sandbox writes`

function isClock(text: string): boolean {
  try {
    const { mode, offsetMs, at } = Object(JSON.parse(text)) as Record<string, unknown>
    return mode === 'frozen'
      ? typeof at === 'string' && isInReach(at)
      : mode === 'running' && Number.isFinite(offsetMs)
  } catch {
    return false
  }
}

type Waiting = Partial<Record<'target' | 'contentType' | 'retries' | 'dueAt' | 'order', string | null>>

const ORDERS: readonly string[] = ['webhook-first', 'redirect-first'] satisfies Delivery['order'][]

/** What is still to be sent goes by these. An older schema has not all of them. */
function oddColumnOfWaiting(db: SQLite.Database): keyof Waiting | undefined {
  const waiting = db.prepare<[], Waiting>(
    `select * from delivery not indexed where state in ('pending', 'underway', 'held')`,
  )
  for (const { target, contentType, retries = 'none', dueAt = null, order = null } of waiting.iterate()) {
    if (!/^(\/|https?:\/\/)/i.test(target ?? '') || !URL.canParse(target ?? '', 'http://localhost'))
      return 'target'
    if (!/^[\x20-\x7e]+$/.test(contentType ?? '')) return 'contentType'
    if (retries !== null && retries !== 'none' && !areWaits(retries)) return 'retries'
    if (dueAt !== null && Number.isNaN(Date.parse(dueAt))) return 'dueAt'
    if (order !== null && !ORDERS.includes(order)) return 'order'
  }
  return undefined
}

/** Every notification goes by these. */
function oddSideOfOutlet(db: SQLite.Database): 'from' | 'to' | undefined {
  type Sides = Pick<Outlet, 'from' | 'to'>
  for (const { from, to } of db.prepare<[], Sides>('select * from outlet not indexed').iterate()) {
    if (to === null ? readHostPattern(from) === null : objectionToFrom(from) !== null) return 'from'
    if (to !== null && objectionToTo(to) !== null) return 'to'
  }
  return undefined
}
