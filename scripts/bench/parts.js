/**
 * The parts of the bench, in the sequence of their runs. Each is imported when it runs, because its dependencies may be
 * missing before the setup.
 *
 * @type {Readonly<Record<string, () => Promise<import('./report.js').Part>>>}
 */
export const parts = {
  operations: async () => (await import('./operations.js')).operations,
  payments: async () => (await import('./payments.js')).payments,
  delivery: async () => (await import('./delivery.js')).delivery,
  stream: async () => (await import('./stream.js')).stream,
  pauses: async () => (await import('./pauses.js')).pauses,
  sizes: async () => (await import('./sizes.js')).sizes,
  start: async () => (await import('./start.js')).start,
  memory: async () => (await import('./memory.js')).memory,
  tunnels: async () => (await import('./tunnels.js')).tunnels,
  inspector: async () => (await import('./inspector.js')).inspector,
  postgres: async () => (await import('./postgres.js')).postgres,
}
