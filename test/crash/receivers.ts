import { startReceiver } from '../support/receiver.ts'

const SLOW_MS = 60

/** The path of each receiver, named after the way it answers. Faults affect only `faulty`. */
export const KINDS = ['fast', 'other', 'slow', 'once-failing', 'failing', 'faulty'] as const

/** How many webhooks arrived, by path and `pay_id`, in the sequence of the first arrival. */
export type Arrivals = Map<string, Map<number, number>>

/** Starts receivers of every kind at one port. They keep running when the sandbox is killed. */
export async function startReceivers() {
  const arrivals: Arrivals = new Map()
  const receiver = await startReceiver(({ path, pairs }, response) => {
    const kind = path.slice(1)
    const counts = arrivals.get(kind) ?? new Map<number, number>()
    arrivals.set(kind, counts)
    const payId = Number(pairs['data[pay_id]'])
    const isFirst = !counts.has(payId)
    counts.set(payId, (counts.get(payId) ?? 0) + 1)
    response.statusCode = kind === 'failing' || (kind === 'once-failing' && isFirst) ? 500 : 200
    // The receiver is slow. Nothing waits for the time.
    // oxlint-disable-next-line no-restricted-globals
    if (kind === 'slow') setTimeout(() => response.end(), SLOW_MS)
    else response.end()
  })
  return { origin: receiver.origin, arrivals, [Symbol.asyncDispose]: receiver[Symbol.asyncDispose] }
}
