/**
 * The parts of the bench, in the order in which they run. They are loaded when they do: before the setup, their
 * dependencies may not be there.
 *
 * @type {Readonly<Record<string, () => Promise<import('./report.js').Part>>>}
 */
export const parts = {
  operations: async () => (await import('./operations.js')).operations,
  payments: async () => (await import('./payments.js')).payments,
  delivery: async () => (await import('./delivery.js')).delivery,
  stream: async () => (await import('./stream.js')).stream,
  sizes: async () => (await import('./sizes.js')).sizes,
  start: async () => (await import('./start.js')).start,
  memory: async () => (await import('./memory.js')).memory,
  tunnels: async () => (await import('./tunnels.js')).tunnels,
  inspector: async () => (await import('./inspector.js')).inspector,
}
