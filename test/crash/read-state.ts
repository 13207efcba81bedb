import { gunzipSync } from 'node:zlib'
import type { Caller } from './caller.ts'

export interface LinkRow {
  id: number
  payId: number
  amount: number
  note: string
  status: string
}

export interface RefundRow {
  linkId: number
  amount: number
  state: string
}

export interface DeliveryRow {
  id: number
  linkId: number
  payId: number
  target: string
  cause: string
  state: string
  attempts: number
  possibleDuplicate: number | boolean
}

export interface EventRow {
  seq: number
  type: string
  linkId: number | null
  deliveryId: number | null
  /** The event as JSON. */
  data: string
  responseBody: string | null
}

/** The stored state of a sandbox. */
export interface StoredState {
  link: LinkRow[]
  refund: RefundRow[]
  delivery: DeliveryRow[]
  event: EventRow[]
  behavior: { name: string; scope: string; value: string }[]
  /** The names of the snapshots, each with the problem of its file, if there is one. */
  snapshots: Map<string, string | undefined>
}

const CHECK = 'check'

/** Reads the state of a sandbox as a snapshot, which is the same for all databases. */
export async function readState(caller: Caller, url: string): Promise<StoredState> {
  await caller.control('POST', '/snapshots', { name: CHECK, replace: true })
  const list = await caller.control('GET', '/snapshots')
  const names = (list!.body.snapshots as { name: string }[]).map(({ name }) => name)
  const snapshots = new Map<string, string | undefined>()
  const state: StoredState = { link: [], refund: [], delivery: [], event: [], behavior: [], snapshots }
  for (const name of names) {
    const answer = await fetch(`${url}/_sandbox/v1/snapshots/${name}/file`)
    const { problem, rows } = unpack(Buffer.from(await answer.arrayBuffer()))
    snapshots.set(name, problem)
    if (name !== CHECK) continue
    for (const [table, row] of rows) {
      const known = Reflect.get(state, table) as unknown
      if (Array.isArray(known)) known.push(row)
    }
  }
  state.event.sort((one, other) => one.seq - other.seq)
  state.delivery.sort((one, other) => one.id - other.id)
  return state
}

/** Returns the rows of a snapshot, and the problem of its file, if there is one. */
function unpack(bytes: Buffer): { problem: string | undefined; rows: [table: string, row: object][] } {
  try {
    const [header = '', ...lines] = gunzipSync(bytes).toString().trimEnd().split('\n')
    const counts = Object.values((JSON.parse(header) as { rows: Record<string, number> }).rows)
    const count = counts.reduce((sum, rows) => sum + rows)
    const problem = count === lines.length ? undefined : `${lines.length} of ${count} rows`
    return { problem, rows: lines.map((line) => JSON.parse(line)) }
  } catch (error) {
    return { problem: String(error), rows: [] }
  }
}
