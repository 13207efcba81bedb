import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isOperation, operations } from '../domain/api/operations.ts'
import type { EventOf, RecordedEvent } from '../domain/events/event.ts'
import { deliveryStates } from '../domain/webhooks/delivery-values.ts'
import { Counter, Durations, writeMetrics, type Metric } from '../platform/system/metrics.ts'
import { within } from '../platform/system/within.ts'
import type { WebhookDispatcher } from '../service/webhooks/dispatcher.ts'
import type { Engine } from '../store/engine.ts'
import * as deliveries from '../store/repositories/deliveries.ts'
import type { Store } from '../store/store.ts'
import { findTrouble } from './readiness.ts'

/** Prometheus gives up after ten seconds by default. */
const DATABASE_TIMEOUT_MS = 2_000

const gauge = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: [{ value }],
})

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
    // Another run made the calls of an imported file.
    if (event.type !== 'api.request' || event.imported !== undefined) return
    // Callers can use any text as a name, so counting every name would need unlimited memory.
    const operation = isOperation(event.operation) ? event.operation : 'unknown'
    calls.add({ operation, status: String(event.status) })
    if (event.processingMs !== undefined) callDurations.add(event.processingMs / 1000)
  }
  store.eventBus.subscribe((recorded) => recorded.forEach(count))

  // A count that is still running is shared: a large database would be counted once more for each request.
  let counting: Promise<readonly Metric[]> | undefined
  const readStored = async (): Promise<readonly Metric[] | undefined> => {
    counting ??= countStored(store, database).finally(() => (counting = undefined))
    return orNothing(counting)
  }

  return async () => {
    const [isUp, stored] = await Promise.all([isUsable(store, database), readStored()])
    return writeMetrics([
      {
        name: 'paylink_calls_total',
        help: 'Calls of the emulated API, by operation and HTTP status.',
        type: 'counter',
        samples: calls.samples(),
      },
      {
        name: 'paylink_call_duration_seconds',
        help: 'How long the sandbox took to answer a call, without the delay of a fault.',
        type: 'histogram',
        samples: callDurations.samples(),
      },
      {
        name: 'paylink_units_total',
        help: 'Units of work: each call, webhook attempt and change of the control API is one or more. Failed ones were rolled back, even if only the request was wrong.',
        type: 'counter',
        samples: store.units.samples(),
      },
      gauge(
        'paylink_units_waiting',
        'Units of work that wait for the transaction before them.',
        store.waitingUnits,
      ),
      {
        name: 'paylink_transactions_total',
        help: 'Transactions of the database. Units of work that arrive together share one.',
        type: 'counter',
        samples: store.transactions.samples(),
      },
      {
        name: 'paylink_commit_duration_seconds',
        help: 'How long the database took to commit a transaction.',
        type: 'histogram',
        samples: store.commitDurations.samples(),
      },
      {
        name: 'paylink_webhook_attempts_total',
        help: 'Attempts to deliver a webhook: accepted, stored by a tunnel, refused with another status than 2xx, or failed without an answer.',
        type: 'counter',
        samples: attempts.samples(),
      },
      {
        name: 'paylink_webhook_attempt_duration_seconds',
        help: 'How long an attempt to deliver a webhook took.',
        type: 'histogram',
        samples: attemptDurations.samples(),
      },
      gauge(
        'paylink_webhook_queues',
        'Targets to which webhooks are being sent at this moment.',
        dispatcher.openQueues(),
      ),
      gauge('paylink_database_up', '1 if the database can be used, 0 if not.', isUp ? 1 : 0),
      ...(stored ?? []),
      ...processMetrics(version, database.name, true),
    ])
  }
}

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
    return await within(DATABASE_TIMEOUT_MS, result)
  } catch {
    return undefined
  }
}

async function countStored(store: Store, database: Engine): Promise<readonly Metric[]> {
  const followers = await database.leadership?.followers()
  const states = await deliveries.countByState(store.db, undefined)
  return [
    {
      name: 'paylink_deliveries',
      help: 'Webhooks by state.',
      type: 'gauge',
      samples: deliveryStates.map((state) => ({ labels: { state }, value: states.get(state) ?? 0 })),
    },
    ...(followers === undefined
      ? []
      : [gauge('paylink_replica_followers', 'Replicas that follow this one.', followers.length)]),
    ...(database.freeBytes
      ? [gauge('paylink_disk_free_bytes', 'Free space of the disk with the database.', database.freeBytes())]
      : []),
  ]
}

const startedAt = Date.now() / 1000 - process.uptime()
/** How often the event loop is observed. Node adds this to each delay. */
const RESOLUTION_MS = 10
let eventLoop: ReturnType<typeof monitorEventLoopDelay> | undefined

/** What every process reports. Observes the event loop from the first call on. */
export function processMetrics(version: string, database: string, isLeader: boolean): readonly Metric[] {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const lagSeconds = Math.max(0, (eventLoop?.max ?? 0) / 1e9 - RESOLUTION_MS / 1000)
  eventLoop?.reset()
  if (!eventLoop) (eventLoop = monitorEventLoopDelay({ resolution: RESOLUTION_MS })).enable()
  return [
    {
      name: 'paylink_info',
      help: 'The version of the sandbox and its database.',
      type: 'gauge',
      samples: [{ labels: { version, database }, value: 1 }],
    },
    gauge('paylink_leader', '1 if this process handles the calls, 0 if it follows.', isLeader ? 1 : 0),
    gauge(
      'nodejs_eventloop_lag_max_seconds',
      'The longest time since the last scrape in which the process was blocked.',
      lagSeconds,
    ),
    gauge('process_resident_memory_bytes', 'Resident memory size in bytes.', rss),
    gauge('nodejs_heap_size_used_bytes', 'Process heap size used from Node.js in bytes.', heapUsed),
    {
      name: 'process_cpu_seconds_total',
      help: 'Total user and system CPU time spent in seconds.',
      type: 'counter',
      samples: [{ value: (user + system) / 1e6 }],
    },
    gauge('process_start_time_seconds', 'Start time of the process since unix epoch in seconds.', startedAt),
  ]
}
