import type { Flag } from '../config/flags.ts'
import { flagsOf } from '../config/option-values.ts'
import { startOptions } from '../config/options.ts'
import { verdictFlags } from './reports/verdict-flags.ts'

/** What a command takes, as its help, the README and its own reading know it. */
export interface Command {
  /** In order. `<…>` has to be there, `[…]` need not, and one that ends with `…` may come any number of times. */
  readonly operands: readonly string[]
  readonly text: string
  readonly flags: Readonly<Record<string, Flag>>
  readonly examples: readonly string[]
}

const json = { kind: 'switch', text: 'print JSON and nothing else on stdout' } as const

const account = { kind: 'text', value: '<id|name>', text: 'only what is of this account' } as const

const noWait = { kind: 'switch', text: 'do not wait until the webhooks have settled' } as const

const browser = {
  kind: 'text',
  value: '<what>',
  text: 'what the browser does after the payment: returns or closes (returns)',
} as const

/** The flags of `start`. */
export const startFlags = flagsOf(startOptions)

const { open: _open, ...execFlags } = startFlags

/** Every command that speaks to a sandbox takes these. */
const connectionFlags = {
  sandbox: {
    kind: 'text',
    value: '<url>',
    text: 'the sandbox to speak to (PAYLINK_URL, else here at the port that start would take)',
  },
  'admin-token': {
    kind: 'text',
    value: '<token>',
    text: 'its admin token, where it asks for one (PAYLINK_ADMIN_TOKEN)',
  },
  json,
} as const

/** Everything the command line can do. */
export const commands = {
  start: {
    operands: [],
    text: 'serves until Ctrl-C; what runs without a command',
    flags: startFlags,
    examples: ['start --port 0 --db :memory: --json'],
  },
  exec: {
    // What follows `--` is the command's own.
    operands: [],
    text: 'runs a command with a sandbox of its own, and ends with its exit code',
    flags: {
      ...execFlags,
      port: { ...startFlags.port!, text: 'port to listen on (a free one)' },
      db: { ...startFlags.db!, text: 'database file (:memory:)' },
      json: {
        kind: 'switch',
        text: 'say what there is to say as JSON lines, on stderr; with --matrix the result, on stdout',
      },
      quiet: { kind: 'switch', text: 'say nothing on stderr but what went wrong' },
      'fail-on': {
        kind: 'text',
        value: '<severity>',
        text: 'fail where something was found that matters as much: hint, warning or error',
      },
      matrix: {
        kind: 'text',
        value: '[<name>[=<value>],…]',
        bare: 'all',
        text: 'run the command time and again, and find out which behavior breaks it: of all, or of those named',
      },
      jobs: {
        kind: 'text',
        value: '<n>',
        text: 'with --matrix: how many runs go on at once (as many as there are cores)',
      },
      timeout: { kind: 'text', value: '<time>', text: 'with --matrix: how long one run may take (10m)' },
      ...verdictFlags,
      verbose: {
        kind: 'switch',
        text: 'list everything that the run covered and depended on, instead of three lines',
      },
      report: { kind: 'text', value: '<file>', text: 'keep the run as one HTML file' },
      har: { kind: 'text', value: '<file>', text: 'keep every request and response as a HAR file' },
    },
    examples: [
      'exec -- npm test',
      'exec --behavior payId=distinct --report paylink-report.html -- npm test',
      'exec --fail-on warning -- npm test',
      'exec --matrix -- npm test',
      'exec --matrix payId,webhookEncoding=json --jobs 1 --junit matrix.xml -- npm test',
    ],
  },
  create: {
    operands: [],
    text: 'creates a payment link, as an app does; prints its id and its pay link',
    flags: {
      amount: { kind: 'text', value: '<euros>', text: 'what there is to pay, like 12.50' },
      recipient: {
        kind: 'list',
        value: '<token>=<share>',
        text: 'who gets a share, in percent or euros; repeatable',
      },
      'split-type': {
        kind: 'text',
        value: '<type>',
        text: 'whether shares are percent or euros: normal or absolute (normal)',
      },
      note: { kind: 'text', value: '<text>', text: 'the recipient note, such as an order number' },
      'callback-url': { kind: 'text', value: '<url>', text: 'where the browser is sent afterwards' },
      'payment-endpoint': { kind: 'text', value: '<target>', text: 'where the webhooks go' },
      'not-cancellable': { kind: 'switch', text: 'do not let the customer cancel' },
      'bank-transfer': { kind: 'switch', text: 'offer bank transfer; not for a split link' },
      account: {
        kind: 'text',
        value: '<id|name>',
        text: 'whose link it is (the one with the key PAYLINK_API_KEY, else the first)',
      },
      ...connectionFlags,
    },
    examples: ['create --amount 100 --recipient rcpBikeCourierFakeToken0002=30 --note "Order 7"'],
  },
  pay: {
    operands: ['<link>'],
    text: 'pays a link, and tells where the browser was sent and what became of each webhook',
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
    text: 'cancels a payment, as the customer does',
    flags: { browser, 'no-wait': noWait, ...connectionFlags },
    examples: ['cancel 1001'],
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
    text: 'lists what happened, and with --follow what happens',
    flags: {
      follow: { kind: 'switch', text: 'go on with what happens, also over a restart of the sandbox' },
      type: { kind: 'list', value: '<type>', text: 'only events of this type; repeatable' },
      account,
      link: { kind: 'text', value: '<link>', text: 'only what is about this link' },
      after: { kind: 'text', value: '<seq>', text: 'all after this event (the newest 100)' },
      limit: { kind: 'text', value: '<n>', text: 'at most so many, 1 to 1000' },
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
      'no-wait': { kind: 'switch', text: 'do not wait until it has been sent' },
      ...connectionFlags,
    },
    examples: ['replay 1 --to http://localhost:3000/webhooks'],
  },
  wait: {
    operands: ['<type>', '[key=value]…'],
    text: 'waits for an event that has every value; one that has happened already counts',
    flags: {
      link: { kind: 'text', value: '<link>', text: 'about this link' },
      count: { kind: 'text', value: '<n>', text: 'how many have to come (1)' },
      timeout: { kind: 'text', value: '<time>', text: 'how long at most, like 500ms, 5s or 1m (5s)' },
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
    text: 'posts what reaches a tunnel to your app, from anywhere; survives restarts and misses nothing',
    flags: {
      'forward-to': { kind: 'text', value: '<url>', text: "your app's address; its path comes first" },
      name: {
        kind: 'text',
        value: '<name>',
        text: 'what this listener is called, by which it is known again (machine and address)',
      },
      since: {
        kind: 'text',
        value: '<seq>',
        text: 'also what was captured from this event on, or all (only what comes)',
      },
      'exit-on-disconnect': {
        kind: 'switch',
        text: 'end with 1 where the connection is lost, and with 2 where none comes about, instead of trying again',
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
    text: 'tries your webhook receiver with everything it has to stand; 1 where it does not',
    flags: {
      only: { kind: 'list', value: '<case>,…', text: 'these cases alone; repeatable' },
      list: { kind: 'switch', text: 'list the cases, and try none' },
      'state-url': {
        kind: 'text',
        value: '<url>',
        text: 'where your app tells of an order, with {note}, {payId}, {id}, {linkId} or {amount} in it',
      },
      'state-pointer': {
        kind: 'text',
        value: '<pointer>',
        text: 'where in that JSON the state is, a JSON pointer (/status)',
      },
      'paid-value': { kind: 'text', value: '<state>', text: 'the state that means paid (paid)' },
      'count-pointer': {
        kind: 'text',
        value: '<pointer>',
        text: 'where in that JSON is how often the order was fulfilled',
      },
      'order-state-module': {
        kind: 'text',
        value: '<file>',
        text: 'a module that tells of an order instead: export default (order) => ({ paid, times })',
      },
      'order-url': { kind: 'text', value: '<url>', text: 'POSTed to have your app make an order' },
      'order-body': { kind: 'text', value: '<text>', text: 'what is POSTed there: JSON, or else a form' },
      timeout: {
        kind: 'text',
        value: '<time>',
        text: 'how long your app may take to act on a webhook, like 500ms, 5s or 1m (5s)',
      },
      ...verdictFlags,
      ...connectionFlags,
      sandbox: {
        kind: 'text',
        value: '<url>',
        text: 'the sandbox that your app is pointed at (PAYLINK_URL, else one of its own, in memory)',
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
    operands: ['[show|advance|set|freeze|resume|real]', '[value]'],
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
      account: { kind: 'text', value: '<id|name>', text: 'this account alone' },
      ...connectionFlags,
    },
    examples: ['reset', 'reset --account "Flower Shop"'],
  },
  settle: {
    operands: [],
    text: 'waits until no webhook is due and none is underway, and counts what became of them',
    flags: {
      timeout: { kind: 'text', value: '<time>', text: 'how long at most, like 500ms, 5s or 1m (5s)' },
      account,
      ...connectionFlags,
    },
    examples: ['settle --timeout 20s'],
  },
  health: {
    operands: [],
    text: 'tells whether a sandbox is ready to serve; 1 where it is not',
    flags: { sandbox: connectionFlags.sandbox, json },
    examples: ['health', 'health --sandbox https://pay.dev.example --json'],
  },
} as const satisfies Record<string, Command>

export type CommandName = keyof typeof commands

/** The commands by task, in the order in which help lists them. */
export const commandGroups = {
  Run: ['start', 'exec', 'health'],
  'Create and pay': ['create', 'pay', 'cancel', 'decline', 'refund'],
  Observe: ['events', 'wait', 'settle'],
  'Your webhook receiver': ['check', 'listen', 'replay'],
  'Change the sandbox': ['accounts', 'clock', 'faults', 'snapshot', 'reset'],
} as const satisfies Readonly<Record<string, readonly CommandName[]>>

export const commandNames: readonly CommandName[] = Object.values(commandGroups).flat()

/** How a command is written: `paylink-sandbox pay <link> [flags]`. */
export function usageOf(name: CommandName): string {
  const { operands }: Command = commands[name]
  const rest = name === 'exec' ? ['[flags]', '--', '<command>', '[argument]…'] : [...operands, '[flags]']
  return ['paylink-sandbox', name, ...rest].join(' ')
}
