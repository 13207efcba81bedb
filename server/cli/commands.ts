import type { Command } from './command.ts'

/**
 * The commands, grouped by task as in help. A file is loaded only when its command runs, because few commands need the database.
 */
export const commandGroups = {
  Run: {
    start: async () => (await import('./commands/start.ts')).start,
    stop: async () => (await import('./commands/stop.ts')).stop,
    exec: async () => (await import('./commands/exec.ts')).exec,
    mcp: async () => (await import('./commands/mcp.ts')).mcp,
    health: async () => (await import('./commands/health.ts')).health,
  },
  'Create and pay': {
    create: async () => (await import('./commands/create.ts')).create,
    pay: async () => (await import('./commands/payments.ts')).pay,
    cancel: async () => (await import('./commands/payments.ts')).cancel,
    decline: async () => (await import('./commands/payments.ts')).decline,
    refund: async () => (await import('./commands/payments.ts')).refund,
  },
  Observe: {
    events: async () => (await import('./commands/events.ts')).events,
    wait: async () => (await import('./commands/wait.ts')).wait,
    settle: async () => (await import('./commands/settle.ts')).settle,
    invoices: async () => (await import('./commands/invoices.ts')).invoices,
    import: async () => (await import('./commands/import.ts')).importHar,
  },
  'Your webhook receiver': {
    check: async () => (await import('./commands/check.ts')).check,
    listen: async () => (await import('./commands/listen.ts')).listen,
    replay: async () => (await import('./commands/webhooks.ts')).replay,
    allow: async () => (await import('./commands/webhooks.ts')).allow,
  },
  'The real service': {
    calibrate: async () => (await import('./commands/calibrate.ts')).calibrate,
  },
  'Change the sandbox': {
    accounts: async () => (await import('./commands/accounts.ts')).accounts,
    clock: async () => (await import('./commands/clock.ts')).clock,
    faults: async () => (await import('./commands/faults.ts')).faults,
    maps: async () => (await import('./commands/maps.ts')).maps,
    snapshot: async () => (await import('./commands/state.ts')).snapshot,
    sample: async () => (await import('./commands/state.ts')).sample,
    reset: async () => (await import('./commands/state.ts')).reset,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, () => Promise<Command>>>>>

type Groups = typeof commandGroups

export type CommandName = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups]

const loaders = Object.assign({}, ...Object.values(commandGroups)) as Readonly<
  Record<CommandName, () => Promise<Command>>
>

export const commandNames = Object.keys(loaders) as readonly CommandName[]

export const loadCommand = (name: CommandName): Promise<Command> => loaders[name]()

/** What other tools call these commands, for suggestions. */
export const otherNames: Readonly<Record<string, CommandName>> = {
  down: 'stop',
  dev: 'start',
  forward: 'listen',
  kill: 'stop',
  log: 'events',
  logs: 'events',
  new: 'create',
  resend: 'replay',
  retry: 'replay',
  run: 'start',
  serve: 'start',
  shutdown: 'stop',
  simulate: 'pay',
  status: 'health',
  tail: 'events',
  trigger: 'pay',
  tunnel: 'listen',
  up: 'start',
}
