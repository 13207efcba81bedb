import type { Metric } from '../platform/system/metrics.ts'

interface MetricInfo extends Pick<Metric, 'type' | 'help'> {
  /** Whether followers also report the metric. */
  readonly isOfFollowersToo?: true
}

/** Every metric. Names and units follow the conventions of Prometheus. */
export const metricTable = {
  paylink_calls_total: {
    type: 'counter',
    help: 'Calls of the emulated API, by operation and HTTP status.',
  },
  paylink_call_duration_seconds: {
    type: 'histogram',
    help: 'How long the sandbox took to answer a call, without the delay of a fault.',
  },
  paylink_units_total: {
    type: 'counter',
    help: 'Units of work. Each call, webhook attempt and change through the control API takes one or more. Failed ones were rolled back, even if only the request was wrong.',
  },
  paylink_units_waiting: {
    type: 'gauge',
    help: 'Units of work that wait for the transaction before them.',
  },
  paylink_transactions_total: {
    type: 'counter',
    help: 'Transactions of the database. Units of work that arrive together share one.',
  },
  paylink_commit_duration_seconds: {
    type: 'histogram',
    help: 'How long the database took to commit a transaction.',
  },
  paylink_webhook_attempts_total: {
    type: 'counter',
    help: 'Attempts to deliver a webhook: accepted, stored by a tunnel, refused with a status other than 2xx, or failed without an answer.',
  },
  paylink_webhook_attempt_duration_seconds: {
    type: 'histogram',
    help: 'How long an attempt to deliver a webhook took.',
  },
  paylink_webhook_queues: {
    type: 'gauge',
    help: 'Targets that webhooks are being sent to at this moment.',
  },
  paylink_deliveries: { type: 'gauge', help: 'Webhooks by state.' },
  paylink_replica_followers: {
    type: 'gauge',
    help: 'Replicas that follow this one. Missing without replicas.',
  },
  paylink_database_up: { type: 'gauge', help: '1 if the database can be used, 0 if not.' },
  paylink_disk_free_bytes: {
    type: 'gauge',
    help: 'Free space of the disk with the database. Missing if the database is elsewhere.',
  },
  paylink_info: {
    type: 'gauge',
    help: 'The version of the sandbox and its database, as labels.',
    isOfFollowersToo: true,
  },
  paylink_leader: {
    type: 'gauge',
    help: '1 if this process handles the calls, 0 if it follows.',
    isOfFollowersToo: true,
  },
  nodejs_eventloop_lag_max_seconds: {
    type: 'gauge',
    help: 'The longest time in the last minute in which the process was blocked. Observed from the first scrape on.',
    isOfFollowersToo: true,
  },
  process_resident_memory_bytes: {
    type: 'gauge',
    help: 'Resident memory size in bytes.',
    isOfFollowersToo: true,
  },
  nodejs_heap_size_used_bytes: {
    type: 'gauge',
    help: 'Process heap size used from Node.js in bytes.',
    isOfFollowersToo: true,
  },
  process_cpu_seconds_total: {
    type: 'counter',
    help: 'Total user and system CPU time spent in seconds.',
    isOfFollowersToo: true,
  },
  process_start_time_seconds: {
    type: 'gauge',
    help: 'Start time of the process since unix epoch in seconds.',
    isOfFollowersToo: true,
  },
} as const satisfies Readonly<Record<string, MetricInfo>>

export type MetricName = keyof typeof metricTable

/** The metrics that every process reports. */
export type ProcessMetricName = {
  [Name in MetricName]: (typeof metricTable)[Name] extends { readonly isOfFollowersToo: true } ? Name : never
}[MetricName]
