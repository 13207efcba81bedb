import { isOperation, operations } from '../domain/api/operations.ts'
import type { EventOf, RecordedEvent } from '../domain/events/event.ts'
import { deliveryStates } from '../domain/webhooks/delivery-values.ts'
import { Counter, Durations, writeMetrics, type Metric } from '../platform/system/metrics.ts'
import { maxEventLoopLag } from '../platform/system/event-loop-lag.ts'
import { resultWithin } from '../platform/system/result-within.ts'
import type { WebhookDispatcher } from '../service/webhooks/dispatcher.ts'
import type { Engine } from '../store/engine.ts'
import * as deliveries from '../store/repositories/deliveries.ts'
import type { Store } from '../store/store.ts'
import { metricTable, type MetricName, type ProcessMetricName } from './metric-table.ts'
import { findTrouble } from './readiness.ts'

/** By default, Prometheus gives up after ten seconds. */
const DATABASE_TIMEOUT_MS = 2_000

type Samples<Name extends MetricName = MetricName> = Readonly<Record<Name, Metric['samples']>>

/** The sample of a metric that has only one. */
const one = (value: number, labels: Readonly<Record<string, string>> = {}): Metric['samples'] => [
  { value, labels },
]

/** Writes metrics in the sequence of `metricTable`. */
const write = (samples: Partial<Samples>): string =>
  writeMetrics(
    (Object.keys(metricTable) as MetricName[]).flatMap((name) => {
      const { type, help } = metricTable[name]
      const own = samples[name]
      return own ? [{ name, type, help, samples: own }] : []
    }),
  )

interface MetricsOptions {
  readonly store: Store
  readonly database: Engine
  readonly dispatcher: Pick<WebhookDispatcher, 'openQueues'>
  readonly version: string
}

/** Counts what a sandbox does. Returns a function that writes all metrics in the text format of Prometheus. */
export function createMetrics({
  store,
  database,
  dispatcher,
  version,
}: MetricsOptions): () => Promise<string> {
  const calls = new Counter(
    ...operations.map((operation) => ({ operation: String(operation), status: '200' })),
  )
  const callDurations = new Durations()
  const attempts = new Counter(...RESULTS.map((result) => ({ result })))
  const attemptDurations = new Durations()

  function count(event: RecordedEvent): void {
    if (event.type === 'delivery.attempted') {
      attempts.add({ result: resultOf(event) })
      attemptDurations.add(event.ms / 1000)
    }
    // Calls from an imported file do not belong to this run.
    if (event.type !== 'api.request' || event.imported !== undefined) return
    // Unknown names are counted together. Callers can use any text as a name, and one counter for each name would need unlimited
    // memory.
    const operation = isOperation(event.operation) ? event.operation : 'unknown'
    calls.add({ operation, status: String(event.status) })
    if (event.processingMs !== undefined) callDurations.add(event.processingMs / 1000)
  }
  store.eventBus.subscribe((recorded) => recorded.forEach(count))

  // A count that is still running is shared. Otherwise, each request would count a large database again.
  let counting: Promise<Partial<Samples>> | undefined
  const readStored = async (): Promise<Partial<Samples> | undefined> => {
    counting ??= countStored(store, database).finally(() => (counting = undefined))
    return orNothing(counting)
  }

  return async () => {
    const [isUp, stored] = await Promise.all([isUsable(store, database), readStored()])
    return write({
      paylink_calls_total: calls.samples(),
      paylink_call_duration_seconds: callDurations.samples(),
      paylink_units_total: store.units.samples(),
      paylink_units_waiting: one(store.waitingUnits),
      paylink_transactions_total: store.transactions.samples(),
      paylink_commit_duration_seconds: store.commitDurations.samples(),
      paylink_webhook_attempts_total: attempts.samples(),
      paylink_webhook_attempt_duration_seconds: attemptDurations.samples(),
      paylink_webhook_queues: one(dispatcher.openQueues()),
      paylink_database_up: one(isUp ? 1 : 0),
      ...stored,
      ...processSamples(version, database.name, true),
    })
  }
}

/** The metrics of a follower. */
export const writeFollowerMetrics = (version: string): string =>
  write(processSamples(version, 'PostgreSQL', false))

const RESULTS = ['accepted', 'stored', 'refused', 'failed'] as const

function resultOf({ httpStatus, storedIn }: EventOf<'delivery.attempted'>): (typeof RESULTS)[number] {
  if (httpStatus === null) return 'failed'
  if (httpStatus < 200 || httpStatus > 299) return 'refused'
  return storedIn === undefined ? 'accepted' : 'stored'
}

async function isUsable(store: Store, database: Engine): Promise<boolean> {
  const look = async (): Promise<boolean> => (await findTrouble(store, database)) === undefined
  return (await orNothing(look())) ?? false
}

/** The result, or `undefined` if the database fails or is too slow. */
async function orNothing<Result>(result: Promise<Result>): Promise<Result | undefined> {
  try {
    return await resultWithin(DATABASE_TIMEOUT_MS, result)
  } catch {
    return undefined
  }
}

async function countStored(store: Store, database: Engine): Promise<Partial<Samples>> {
  const followers = await database.leadership?.followers()
  const states = await deliveries.countByState(store.db, undefined)
  return {
    paylink_deliveries: deliveryStates.map((state) => ({ labels: { state }, value: states.get(state) ?? 0 })),
    ...(followers && { paylink_replica_followers: one(followers.length) }),
    ...(database.freeBytes && { paylink_disk_free_bytes: one(database.freeBytes()) }),
  }
}

const startedAt = Date.now() / 1000 - process.uptime()

function processSamples(version: string, database: string, isLeader: boolean): Samples<ProcessMetricName> {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return {
    paylink_info: one(1, { version, database }),
    paylink_leader: one(isLeader ? 1 : 0),
    nodejs_eventloop_lag_max_seconds: one(maxEventLoopLag()),
    process_resident_memory_bytes: one(rss),
    nodejs_heap_size_used_bytes: one(heapUsed),
    process_cpu_seconds_total: one((user + system) / 1e6),
    process_start_time_seconds: one(startedAt),
  }
}
