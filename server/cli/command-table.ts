import type { Flag } from '../config/flags.ts'
import { flagsOf } from '../config/option-values.ts'
import { startOptions } from '../config/options.ts'
import { verdictFlags } from './reports/verdict-flags.ts'

/** A command: the source of its help, its row in the guides, and how its arguments are read. */
export interface Command {
  /** In order. `<…>` is required, `[…]` is optional, and one that ends with `…` is repeatable. */
  readonly operands: readonly string[]
  readonly text: string
  readonly flags: Readonly<Record<string, Flag>>
  /** Two or more. Each one runs unchanged against a new sandbox. */
  readonly examples: readonly [string, string, ...string[]]
  /** Only if they differ from those of other commands. */
  readonly exitCodes?: string
}

const json = { kind: 'switch', text: 'print JSON and nothing else on stdout' } as const

const account = { kind: 'text', value: '<id|name>', text: 'only of this account' } as const

const noWait = { kind: 'switch', text: 'do not wait for the webhooks' } as const

const browser = {
  kind: 'text',
  value: '<what>',
  text: 'what the browser does after the payment: returns or closes (returns)',
} as const

/** The flags of `start`. */
export const startFlags = flagsOf(startOptions)

const { open: _open, ...execFlags } = startFlags

/** The flags of every command that uses a sandbox. */
const connectionFlags = {
  sandbox: {
    kind: 'text',
    value: '<url>',
    text: 'address of the sandbox (PAYLINK_URL, else this machine at the port of start)',
  },
  'admin-token': {
    kind: 'text',
    value: '<token>',
    text: 'its admin token, if it requires one (PAYLINK_ADMIN_TOKEN)',
  },
  json,
} as const

/** All commands. */
export const commands = {
  start: {
    operands: [],
    text: 'serves until Ctrl-C; the default command',
    flags: startFlags,
    examples: [
      'start --port 0 --db :memory: --json',
      'start --behavior payId=distinct --map https://shop.example.com=http://localhost:3000',
    ],
    exitCodes:
      '0 after Ctrl-C, 1 after a failure, 2 for a usage error or a port or database that cannot be used.',
  },
  exec: {
    // The operands follow `--`.
    operands: [],
    text: 'runs a command with its own sandbox, and ends with the exit code of the command',
    flags: {
      ...execFlags,
      port: { ...startFlags.port!, text: 'port to listen on (a free one)' },
      db: { ...startFlags.db!, text: 'database file (:memory:)' },
      json: {
        kind: 'switch',
        text: 'write messages as JSON lines to stderr; with --matrix the result to stdout',
      },
      quiet: { kind: 'switch', text: 'write only failures to stderr' },
      'fail-on': {
        kind: 'text',
        value: '<severity>',
        text: 'fail on diagnostics of this severity or above: hint, warning or error',
      },
      matrix: {
        kind: 'text',
        value: '[<name>[=<value>],…]',
        bare: 'all',
        text: 'run the command with many combinations of behaviors, all or those named, and find out which of them break it',
      },
      jobs: {
        kind: 'text',
        value: '<n>',
        text: 'with --matrix: number of simultaneous runs (number of cores)',
      },
      timeout: { kind: 'text', value: '<time>', text: 'with --matrix: how long one run may take (10m)' },
      ...verdictFlags,
      verbose: {
        kind: 'switch',
        text: 'list everything that the run covered and depended on, instead of three lines',
      },
      report: { kind: 'text', value: '<file>', text: 'save the run as one HTML file' },
      har: { kind: 'text', value: '<file>', text: 'save every request and response as a HAR file' },
    },
    examples: [
      'exec -- npm test',
      'exec --behavior payId=distinct --report paylink-report.html -- npm test',
      'exec --fail-on warning -- npm test',
      'exec --matrix -- npm test',
      'exec --matrix payId,webhookEncoding=json --jobs 1 --junit matrix.xml -- npm test',
    ],
    exitCodes:
      'that of the command, 1 if --fail-on found something, 126 or 127 if the command cannot be run, 2 for a usage error.',
  },
  create: {
    operands: [],
    text: 'creates a payment link, as an app does; prints its id and its pay link',
    flags: {
      amount: { kind: 'text', value: '<euros>', text: 'amount in euros, like 12.50' },
      recipient: {
        kind: 'list',
        value: '<token>=<share>',
        text: 'recipient token and its share, in percent or euros; repeatable',
      },
      'split-type': {
        kind: 'text',
        value: '<type>',
        text: 'whether shares are percent or euros: normal or absolute (normal)',
      },
      note: { kind: 'text', value: '<text>', text: 'the recipient note, such as an order number' },
      'callback-url': {
        kind: 'text',
        value: '<url>',
        text: 'address to which the browser returns after the payment',
      },
      'payment-endpoint': { kind: 'text', value: '<target>', text: 'address that receives the webhooks' },
      'not-cancellable': { kind: 'switch', text: 'do not let the customer cancel' },
      'bank-transfer': { kind: 'switch', text: 'offer bank transfer; not for a split link' },
      account: {
        kind: 'text',
        value: '<id|name>',
        text: 'account that owns the link (the one with the key PAYLINK_API_KEY, else the first)',
      },
      ...connectionFlags,
    },
    examples: [
      'create --amount 100 --recipient rcpBikeCourierFakeToken0002=30 --note "Order 7"',
      'create --amount 12.50 --payment-endpoint http://localhost:3000/webhooks --json',
    ],
  },
  pay: {
    operands: ['<link>'],
    text: 'pays a link; prints where the browser was sent and what happened to each webhook',
    flags: {
      method: { kind: 'text', value: '<method>', text: 'card or bank-transfer (card)' },
      browser,
      'no-wait': noWait,
      ...connectionFlags,
    },
    examples: ['pay 1001', 'pay pay:1001 --browser closes'],
  },
  cancel: {
    operands: ['<link>'],
    text: 'cancels a payment as the customer',
    flags: { browser, 'no-wait': noWait, ...connectionFlags },
    examples: ['cancel 1001', 'cancel pay:1001 --no-wait'],
  },
  decline: {
    operands: ['<link>'],
    text: 'declines the card; the link can still be paid',
    flags: { ...connectionFlags },
    examples: ['decline 1001', 'decline pay:1001 --json'],
  },
  refund: {
    operands: ['[list|approve|reject]', '[link]'],
    text: 'lists refund requests; approves or rejects one as the operator: refund approve <link>',
    flags: { ...connectionFlags },
    examples: ['refund', 'refund approve 1001'],
  },
  events: {
    operands: [],
    text: 'lists events; with --follow prints new ones as they happen',
    flags: {
      follow: { kind: 'switch', text: 'print new events too; continues after a restart of the sandbox' },
      type: { kind: 'list', value: '<type>', text: 'only events of this type; repeatable' },
      account,
      link: { kind: 'text', value: '<link>', text: 'only about this link' },
      after: { kind: 'text', value: '<seq>', text: 'all events after this one (the newest 100)' },
      limit: { kind: 'text', value: '<n>', text: 'maximum number of events, 1 to 1000' },
      ...connectionFlags,
    },
    examples: ['events --follow --type link.paid --type delivery.attempted', 'events --link 1001 --json'],
  },
  replay: {
    operands: ['<delivery>'],
    text: 'sends a webhook again, by the id of its delivery',
    flags: {
      to: { kind: 'text', value: '<url>', text: 'to another address' },
      body: { kind: 'text', value: '<text>', text: 'with other bytes' },
      'no-wait': { kind: 'switch', text: 'do not wait until it was sent' },
      ...connectionFlags,
    },
    examples: ['replay 1', 'replay 1 --to http://localhost:3000/webhooks'],
  },
  release: {
    operands: ['<delivery>'],
    text: 'releases a held webhook: sends it once, by the id of its delivery',
    flags: {
      'no-wait': { kind: 'switch', text: 'do not wait until it was sent' },
      ...connectionFlags,
    },
    examples: ['release 1', 'release 1 --no-wait --json'],
  },
  wait: {
    operands: ['<type>', '[key=value]…'],
    text: 'waits for an event with these values; one that has already happened counts',
    flags: {
      link: { kind: 'text', value: '<link>', text: 'about this link' },
      count: { kind: 'text', value: '<n>', text: 'number of events to wait for (1)' },
      timeout: { kind: 'text', value: '<time>', text: 'maximum time, like 500ms, 5s or 1m (5s)' },
      after: { kind: 'text', value: '<seq>', text: 'only events after this one (0)' },
      account,
      ...connectionFlags,
    },
    examples: [
      'wait link.paid payId=1001',
      'wait link.created link.amount=100',
      'wait delivery.attempted status=Success httpStatus=200 --timeout 20s',
    ],
  },
  listen: {
    operands: ['<tunnel>'],
    text: 'posts the requests of a tunnel to your app, on any machine; misses none during a restart',
    flags: {
      'forward-to': {
        kind: 'text',
        value: '<url>',
        text: 'address of your app; paths are appended to its path',
      },
      name: {
        kind: 'text',
        value: '<name>',
        text: 'name that identifies this listener after a restart (machine and address)',
      },
      since: {
        kind: 'text',
        value: '<seq>',
        text: 'first post stored requests: those since the event with this seq, or all (only new requests)',
      },
      'exit-on-disconnect': {
        kind: 'switch',
        text: 'do not reconnect: end with 1 if the connection is lost, with 2 if there is none',
      },
      token: {
        kind: 'text',
        value: '<token>',
        text: 'a token that opens the tunnel, or the admin token (PAYLINK_TOKEN, else PAYLINK_ADMIN_TOKEN)',
      },
      sandbox: connectionFlags.sandbox,
      json: { kind: 'switch', text: 'print JSON lines on stdout' },
    },
    examples: [
      'listen flower-shop --forward-to http://localhost:3000/webhooks',
      'listen ada-shop --forward-to http://localhost:3000 --sandbox https://pay.example --since all',
    ],
  },
  check: {
    operands: ['[url]'],
    text: 'checks your webhook receiver; exit code 1 if a case fails',
    flags: {
      only: { kind: 'list', value: '<case>,…', text: 'only these cases; repeatable' },
      list: { kind: 'switch', text: 'list the cases instead of running them' },
      'state-url': {
        kind: 'text',
        value: '<url>',
        text: 'address of an order in your app, with {note}, {payId}, {id}, {linkId} or {amount}',
      },
      'state-pointer': {
        kind: 'text',
        value: '<pointer>',
        text: 'JSON pointer to the state in its answer (/status)',
      },
      'paid-value': { kind: 'text', value: '<state>', text: 'the state that means paid (paid)' },
      'count-pointer': {
        kind: 'text',
        value: '<pointer>',
        text: 'JSON pointer to the number of times the order was fulfilled',
      },
      'order-state-module': {
        kind: 'text',
        value: '<file>',
        text: 'module that returns the state instead: export default (order) => ({ paid, times })',
      },
      'order-url': {
        kind: 'text',
        value: '<url>',
        text: 'address in your app that creates an order on POST',
      },
      'order-body': { kind: 'text', value: '<text>', text: 'body of that POST: JSON, or else a form' },
      timeout: {
        kind: 'text',
        value: '<time>',
        text: 'time in which your app must act on a webhook, like 500ms, 5s or 1m (5s)',
      },
      ...verdictFlags,
      ...connectionFlags,
      sandbox: {
        kind: 'text',
        value: '<url>',
        text: 'the sandbox that your app uses (PAYLINK_URL, else a new one in memory)',
      },
    },
    examples: [
      'check http://localhost:3000/webhooks',
      "check http://localhost:3000/webhooks --order-url http://localhost:3000/orders --state-url 'http://localhost:3000/orders/{note}' --sandbox http://127.0.0.1:4400",
      'check http://localhost:3000/webhooks --only repeated-at-once,forged-amount --junit check.xml',
    ],
  },
  accounts: {
    operands: ['[list|create]', '[name]'],
    text: 'lists accounts with their keys; creates one: accounts create [name]',
    flags: { ...connectionFlags },
    examples: ['accounts', 'accounts create "Market stall"'],
  },
  clock: {
    operands: ['[show|advance|set|freeze|resume|real]', '[value]…'],
    text: 'shows the clock; moves it: clock advance <by>, set <time>, freeze [time], resume, real',
    flags: { ...connectionFlags },
    examples: [
      'clock',
      'clock advance 2d',
      'clock advance next-month',
      'clock set 2026-12-31T12:00:00+01:00',
    ],
  },
  faults: {
    operands: ['[list|add|remove|clear]', '[value]…'],
    text: 'lists faults; faults add <on> <script> makes api, webhook or redirect fail; also remove <id>, clear',
    flags: {
      operation: { kind: 'text', value: '<name>', text: 'only calls of this operation' },
      target: { kind: 'text', value: '<url>', text: 'only webhooks whose target begins like this' },
      times: { kind: 'text', value: '<n>', text: 'how often the script runs, or always (1)' },
      probability: {
        kind: 'text',
        value: '<p>',
        text: 'chance that an occasion is hit, above 0 and at most 1',
      },
      seed: { kind: 'text', value: '<n>', text: 'the same seed hits the same occasions' },
      account: { kind: 'text', value: '<id|name>', text: 'only for this account' },
      ...connectionFlags,
    },
    examples: ['faults add api 500,reset,pass --operation createSplitLink', 'faults add webhook duplicate:2'],
  },
  invoices: {
    operands: ['[list]'],
    text: 'lists tax invoices, the newest month first',
    flags: { account, ...connectionFlags },
    examples: ['invoices', 'invoices --account "Flower Shop" --json'],
  },
  maps: {
    operands: ['[list|add|remove]', '[map]'],
    text: 'lists URL maps; changes them: maps add <origin>=<url>, maps remove <origin>',
    flags: { ...connectionFlags },
    examples: [
      'maps add https://shop.example.com=http://localhost:3000',
      'maps remove https://shop.example.com',
    ],
  },
  snapshot: {
    operands: ['[list|take|restore]', '[name]'],
    text: 'lists snapshots; takes or restores one: snapshot take <name>, snapshot restore <name>',
    flags: { replace: { kind: 'switch', text: 'replace a snapshot of the same name' }, ...connectionFlags },
    examples: ['snapshot take base', 'snapshot restore base'],
  },
  reset: {
    operands: [],
    text: 'resets the sandbox to its seed, or one account to its original state',
    flags: {
      to: { kind: 'text', value: '<what>', text: 'to the seed or to nothing: seed or empty (seed)' },
      account: { kind: 'text', value: '<id|name>', text: 'only this account' },
      ...connectionFlags,
    },
    examples: ['reset', 'reset --account "Flower Shop"'],
  },
  settle: {
    operands: [],
    text: 'waits until no webhook is due or under way; prints how many were delivered, failed and are held',
    flags: {
      timeout: { kind: 'text', value: '<time>', text: 'maximum time, like 500ms, 5s or 1m (5s)' },
      account,
      ...connectionFlags,
    },
    examples: ['settle --timeout 20s', 'settle --account "Flower Shop" --json'],
  },
  health: {
    operands: [],
    text: 'checks whether a sandbox is ready to serve; exit code 1 if not',
    flags: { sandbox: connectionFlags.sandbox, json },
    examples: ['health', 'health --sandbox https://pay.dev.example --json'],
  },
} as const satisfies Record<string, Command>

export type CommandName = keyof typeof commands

/** The commands by task, in the order in which help lists them. */
export const commandGroups = {
  Run: ['start', 'exec', 'health'],
  'Create and pay': ['create', 'pay', 'cancel', 'decline', 'refund'],
  Observe: ['events', 'wait', 'settle', 'invoices'],
  'Your webhook receiver': ['check', 'listen', 'replay', 'release'],
  'Change the sandbox': ['accounts', 'clock', 'faults', 'maps', 'snapshot', 'reset'],
} as const satisfies Readonly<Record<string, readonly CommandName[]>>

export const commandNames: readonly CommandName[] = Object.values(commandGroups).flat()

/** How a command is written: `paylink-sandbox pay <link> [flags]`. */
export function usageOf(name: CommandName): string {
  const { operands }: Command = commands[name]
  const rest = name === 'exec' ? ['[flags]', '--', '<command>', '[argument]…'] : [...operands, '[flags]']
  return ['paylink-sandbox', name, ...rest].join(' ')
}
