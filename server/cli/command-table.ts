import type { Flag } from '../runtime/config/flags.ts'
import { flagsOf } from '../runtime/config/option-values.ts'
import { startOptions } from '../runtime/config/options.ts'
import {
  callerOptions,
  checkFlag,
  describeCheckOption,
  localReceiverOptions,
  receiverOptions,
  sharedOptions,
  type CheckOption,
} from '../contract/checks/check-options.ts'
import { defaultTimes } from './default-times.ts'
import { verdictFlags } from './reports/verdict-flags.ts'

/** The actions of a command by name, with the operands that follow the name. */
export type Actions = Readonly<
  Record<string, { readonly operands: readonly string[]; readonly text: string }>
>

/** The flags of some options of a check. */
const checkFlags = (
  table: Readonly<Record<string, CheckOption>>,
  explain: (text: string) => string = (text) => text,
): Readonly<Record<string, Flag>> =>
  Object.fromEntries(
    Object.entries(table).map(([name, option]) => {
      const { kind, value, isVerbatim, bare } = option
      const text = explain(describeCheckOption(option, checkWords))
      const flag = { value, isVerbatim, bare }
      // A list that can be passed without a value is one text, with commas.
      if (kind === 'switch') return [checkFlag(name), { kind, text }]
      if (kind === 'list' && bare === undefined)
        return [checkFlag(name), { ...flag, kind, text: `${text}; repeatable` }]
      const times = kind === 'time' ? ', like 500ms, 5s or 1m' : ''
      return [checkFlag(name), { ...flag, kind: 'text', text: text + times }]
    }),
  )

const checkWords = {
  name: (option: string) => `--${checkFlag(option)}`,
  time: (ms: number) => `${ms / 1000}s`,
}

/** A command: the source of its help, its row in the guides, and how its arguments are read. */
export interface Command {
  /** The operands as they are typed. `<…>` is required, `[…]` is optional, and one that ends with `…` is repeatable. */
  readonly operands: readonly string[]
  /** What it does. Help prints it with a capital and a period. */
  readonly text: string
  /** What the first operand can be, for a command such as `refund approve 1001`. The first action is the default. */
  readonly actions?: Actions
  readonly flags: Readonly<Record<string, Flag>>
  /** Two or more. Each one runs unchanged against a new sandbox. */
  readonly examples: readonly [string, string, ...string[]]
  /** The exit codes, if they differ from those of other commands. */
  readonly exitCodes?: string
}

const AMOUNT = 'a number of euros above 0 with at most two decimals, like 12.50'

const json = { kind: 'switch', text: 'print JSON and nothing else on stdout' } as const

const account = { kind: 'text', value: '<id|name>', text: 'only of this account' } as const

const noWait = { kind: 'switch', text: 'do not wait for the webhooks' } as const

const browser = {
  kind: 'text',
  value: '<what>',
  text: 'what the browser does after the payment: returns to the shop, or closes (returns)',
} as const

/** The options of `start`. Each is also a variable and a key of the configuration file. */
export const startFlags = flagsOf(startOptions)

const { open: _open, replicas: _replicas, 'replica-url': _replicaUrl, ...execFlags } = startFlags

const { json: _json, ...mcpFlags } = execFlags

/** The flags of every command that can create a link. */
export const newLinkFlags = {
  amount: { kind: 'text', value: '<euros>', text: 'amount in euros, like 12.50', expected: AMOUNT },
  recipient: {
    kind: 'list',
    value: '<token>=<share>',
    text: 'recipient token and its share, in percent or euros; repeatable',
  },
  'split-type': {
    kind: 'text',
    value: '<type>',
    text: 'unit of the shares: normal for percent, absolute for euros (normal)',
  },
  note: { kind: 'text', isVerbatim: true, value: '<text>', text: 'recipient note, such as an order number' },
  'callback-url': {
    kind: 'text',
    value: '<url>',
    text: 'address that the browser returns to after the payment',
  },
  'payment-endpoint': {
    kind: 'text',
    value: '<target>',
    text: "address that receives the webhooks (that of the link's account)",
  },
  account: {
    kind: 'text',
    value: '<id|name>',
    text: 'account that owns the link (the one with the API key, else the first one)',
  },
  key: { kind: 'text', value: '<key>', text: 'API key of the account that owns the link (PAYLINK_API_KEY)' },
} as const

/** The same flags for a command that uses a link, and creates one if it gets an amount. */
const optionalLinkFlags = {
  ...newLinkFlags,
  amount: {
    ...newLinkFlags.amount,
    text: 'instead of <link>: create a link for this amount in euros, like 12.50, with the flags below',
  },
} as const

/** The flags of every command that uses a sandbox. */
const connectionFlags = {
  sandbox: {
    kind: 'text',
    value: '<url>',
    text: 'address of the sandbox (PAYLINK_URL, or else this machine, at the port configured for start)',
  },
  'admin-token': {
    kind: 'text',
    value: '<token>',
    text: 'admin token of the sandbox, if it requires one (PAYLINK_ADMIN_TOKEN)',
  },
  json,
} as const

export const commands = {
  start: {
    operands: [],
    text: 'serves until Ctrl-C, or with --detach in the background; the default command',
    flags: {
      ...startFlags,
      detach: {
        kind: 'switch',
        text: 'start it in the background, and return when it is ready; only as a flag; `stop` ends it',
      },
    },
    examples: [
      'start --port 0 --db :memory: --json',
      'start --detach',
      'start --behavior payId=distinct --map https://shop.example.com=http://localhost:3000',
    ],
    exitCodes:
      '0: stopped by Ctrl-C, or with --detach ready. 1: failed. 2: usage error, or the port or the database cannot be used.',
  },
  stop: {
    operands: [],
    text: 'stops a sandbox that start --detach has started, and waits until it has ended',
    flags: {
      config: startFlags.config!,
      db: {
        ...startFlags.db!,
        text: `database with which the sandbox was started (${startOptions.db.default})`,
      },
      host: {
        ...startFlags.host!,
        text: `address that the sandbox listens on, only if its database is not a file (${startOptions.host.default})`,
      },
      port: {
        ...startFlags.port!,
        text: `port of the sandbox, only if its database is not a file (${startOptions.port.default})`,
      },
      json,
    },
    examples: ['stop', 'stop --db :memory: --port 4401'],
    exitCodes: '0: it has ended, or none was running. 1: it did not end in time. 2: usage error.',
  },
  exec: {
    // The operands follow `--`.
    operands: [],
    text: 'runs a command with its own sandbox, and exits with the exit code of the command',
    flags: {
      ...execFlags,
      port: { ...startFlags.port!, text: 'port to listen on (a free one)' },
      db: { ...startFlags.db!, text: 'database file (:memory:)' },
      json: {
        kind: 'switch',
        text: 'write messages as JSON lines to stderr; with --matrix or --pairs the result to stdout',
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
        text: 'run the command unchanged and with each option of the behaviors alone, and report which options break it; tries all behaviors, or those named',
      },
      pairs: {
        kind: 'text',
        value: '<name>[=<value>],…',
        text: 'like --matrix for these behaviors, and also run every two of their options together',
      },
      jobs: {
        kind: 'text',
        value: '<n>',
        text: 'with --matrix or --pairs: number of simultaneous runs (number of cores)',
      },
      timeout: {
        kind: 'text',
        value: '<time>',
        text: `with --matrix or --pairs: how long one run may take (${defaultTimes.suiteRun})`,
      },
      ...verdictFlags,
      verbose: {
        kind: 'switch',
        text: 'list everything that the run used and did not use, instead of a summary',
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
      'exec --pairs payId,webhookEncoding -- npm test',
    ],
    exitCodes:
      'that of the command. 1: --fail-on found something. 2: usage error. 126 or 127: the command cannot be run.',
  },
  create: {
    operands: [],
    text: 'creates a payment link as an app does, and prints its id and its pay link',
    flags: {
      ...newLinkFlags,
      'not-cancellable': { kind: 'switch', text: 'do not let the customer cancel' },
      'bank-transfer': { kind: 'switch', text: 'offer bank transfer; not for a split link' },
      ...connectionFlags,
    },
    examples: [
      'create --amount 100 --recipient rcpBikeCourierFakeToken0002=30 --note "Order 7"',
      'create --amount 12.50 --payment-endpoint http://localhost:3000/webhooks --json',
    ],
  },
  pay: {
    operands: ['[link]'],
    text: 'pays a link, or with --amount a new one, and prints its redirect and its webhooks',
    flags: {
      ...optionalLinkFlags,
      method: { kind: 'text', value: '<method>', text: 'card or bank-transfer (card)' },
      browser,
      'no-wait': noWait,
      ...connectionFlags,
    },
    examples: [
      'pay --amount 5',
      'pay --amount 100 --recipient rcpBikeCourierFakeToken0002=30 --note "Order 7"',
      'pay 1001',
      'pay pay:1001 --browser closes',
    ],
  },
  cancel: {
    operands: ['[link]'],
    text: 'cancels the payment of a link, or with --amount of a new one, and prints its redirect and its webhooks',
    flags: { ...optionalLinkFlags, browser, 'no-wait': noWait, ...connectionFlags },
    examples: ['cancel --amount 5', 'cancel 1001', 'cancel pay:1001 --no-wait'],
  },
  decline: {
    operands: ['[link]'],
    text: 'declines the card for a link, or with --amount for a new one; the link can still be paid',
    flags: { ...optionalLinkFlags, ...connectionFlags },
    examples: ['decline --amount 5', 'decline 1001', 'decline pay:1001 --json'],
  },
  refund: {
    operands: ['[list|approve|reject]', '[link]'],
    text: 'lists refund requests, or decides one as the operator',
    actions: {
      list: { operands: [], text: 'list refund requests; the default' },
      approve: { operands: ['<link>'], text: 'approve the refund of this link' },
      reject: { operands: ['<link>'], text: 'reject the refund of this link' },
    },
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
      link: { kind: 'text', value: '<link>', text: 'only events about this link' },
      after: {
        kind: 'text',
        value: '<seq>',
        text: 'every event after the one with this seq (the newest 100 events)',
      },
      limit: { kind: 'text', value: '<n>', text: 'maximum number of events, 1 to 1000' },
      ...connectionFlags,
    },
    examples: ['events --follow --type link.paid --type delivery.attempted', 'events --link 1001 --json'],
  },
  replay: {
    operands: ['<delivery>'],
    text: 'sends a webhook again',
    flags: {
      to: { kind: 'text', value: '<url>', text: 'send it to another address' },
      body: { kind: 'text', isVerbatim: true, value: '<text>', text: 'send another body' },
      'no-wait': { kind: 'switch', text: 'do not wait until the webhook was sent' },
      ...connectionFlags,
    },
    examples: ['replay 1', 'replay 1 --to http://localhost:3000/webhooks'],
  },
  release: {
    operands: ['<delivery>'],
    text: 'sends a held webhook once, although its host is not allowed',
    flags: {
      'no-wait': { kind: 'switch', text: 'do not wait until the webhook was sent' },
      ...connectionFlags,
    },
    examples: ['release 1', 'release 1 --no-wait --json'],
  },
  wait: {
    operands: ['<type>', '[key=value]…'],
    text: 'waits for an event, or returns at once if it has already happened',
    flags: {
      link: { kind: 'text', value: '<link>', text: 'only events about this link' },
      count: { kind: 'text', value: '<n>', text: 'number of events to wait for (1)' },
      timeout: {
        kind: 'text',
        value: '<time>',
        text: `maximum time, like 500ms, 5s or 1m (${defaultTimes.wait})`,
      },
      after: { kind: 'text', value: '<seq>', text: 'only events with a larger seq (0)' },
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
    text: 'forwards the requests of a tunnel to your app, on any machine',
    flags: {
      'forward-to': {
        kind: 'text',
        value: '<url>',
        text: 'address of your app; the path of each request is appended',
      },
      account: {
        kind: 'text',
        value: '<id|name>',
        text: 'also set the payment endpoint of this account to the tunnel; requires the admin token, if there is one',
      },
      name: {
        kind: 'text',
        value: '<name>',
        text: 'name that identifies this listener after a restart (machine and address)',
      },
      since: {
        kind: 'text',
        value: '<seq>',
        text: 'also forward stored requests: all, or those from the event with this seq on (only new requests)',
      },
      'exit-on-disconnect': {
        kind: 'switch',
        text: 'do not reconnect: exit with 1 if the connection is lost, with 2 if no sandbox is reachable',
      },
      token: {
        kind: 'text',
        value: '<token>',
        text: 'token for the tunnel, or the admin token (PAYLINK_TOKEN, else PAYLINK_ADMIN_TOKEN)',
      },
      sandbox: connectionFlags.sandbox,
      json: { kind: 'switch', text: 'print JSON lines on stdout' },
    },
    examples: [
      'listen flower-shop --forward-to http://localhost:3000/webhooks',
      'listen flower-shop --forward-to http://localhost:3000/webhooks --account "Flower Shop"',
      'listen ada-shop --forward-to http://localhost:3000 --sandbox https://pay.example --since all',
    ],
  },
  check: {
    operands: ['[url]'],
    text: 'tests your webhook receiver, or with --caller the code that calls the API; exits with 1 if a case fails',
    flags: {
      caller: {
        kind: 'switch',
        text: 'test an app that creates payment links: it places orders while calls fail; requires --order-url',
      },
      ...checkFlags(sharedOptions),
      list: { kind: 'switch', text: 'list the cases instead of running them' },
      'order-state-module': {
        kind: 'text',
        value: '<file>',
        text: 'module that returns the state of an order: export default (order) => ({ paid, times })',
      },
      ...checkFlags({ ...receiverOptions, ...localReceiverOptions }, (text) => `${text}; not with --caller`),
      ...checkFlags(callerOptions, (text) => `with --caller: ${text}`),
      details: {
        kind: 'switch',
        text: 'print for each failure what was sent, expected and seen, why, and how to repeat it',
      },
      tests: {
        kind: 'text',
        value: '<folder>',
        text: 'write each failure as a test for Vitest and as a shell script',
      },
      ...verdictFlags,
      ...connectionFlags,
      sandbox: {
        kind: 'text',
        value: '<url>',
        text: 'the sandbox that your app uses (PAYLINK_URL, else the one on this machine if your app makes the orders, else a new one in memory)',
      },
    },
    examples: [
      'check http://localhost:3000/webhooks',
      'check http://localhost:3000/webhooks --order-url http://localhost:3000/orders --state-url "http://localhost:3000/orders/{note}"',
      'check http://localhost:3000/webhooks --only repeated-at-once,forged-amount --junit check.xml',
      'check http://localhost:3000/webhooks --skip json,json-charset',
      'check --caller --order-url http://localhost:3000/orders --state-url "http://localhost:3000/orders/{order}/state"',
    ],
  },
  mcp: {
    operands: [],
    text: 'serves a coding assistant by the Model Context Protocol over stdin and stdout',
    flags: {
      ...mcpFlags,
      port: { ...startFlags.port!, text: 'port to listen on (a free one)' },
      db: { ...startFlags.db!, text: 'database file (:memory:)' },
      quiet: { kind: 'switch', text: 'write only errors to stderr' },
      sandbox: {
        kind: 'text',
        value: '<url>',
        text: 'connect to this sandbox instead of starting a new one (PAYLINK_URL)',
      },
      'admin-token': {
        kind: 'text',
        value: '<token>',
        text: 'admin token of the sandbox (PAYLINK_ADMIN_TOKEN)',
      },
    },
    examples: ['mcp', 'mcp --port 4400 --db .paylink/sandbox.db', 'mcp --sandbox http://127.0.0.1:4400'],
    exitCodes: '0: the assistant ended the connection. 1: failed. 2: usage error.',
  },
  calibrate: {
    operands: [],
    text: 'compares the sandbox with the real service, and finds out which behaviors the service has',
    flags: {
      target: {
        kind: 'text',
        value: '<origin>',
        text: 'address of the development environment, like https://dev.pay.example',
      },
      'key-env': {
        kind: 'text',
        value: '<name>',
        text: 'environment variable that has the development key',
      },
      recipient: {
        kind: 'text',
        value: '<token>',
        text: 'recipient token of another account, to check split links too',
      },
      from: {
        kind: 'text',
        value: '<file>',
        text: 'judge the calls of this HAR file, and make none; with --target only those to this origin',
      },
      plan: { kind: 'switch', text: 'list every call, what it creates and what it decides; call nothing' },
      yes: { kind: 'switch', text: 'make the calls' },
      only: { kind: 'list', value: '<name>,…', text: 'only these open points; repeatable' },
      rate: {
        kind: 'text',
        value: '<rate>',
        text: 'how many calls may be made, like 20/min or 5/s (20/min)',
      },
      'max-calls': { kind: 'text', value: '<n>', text: 'stop after this many calls' },
      timeout: {
        kind: 'text',
        value: '<time>',
        text: `how long a call may take, like 5s (${defaultTimes.serviceCall})`,
      },
      pay: {
        kind: 'switch',
        text: 'print links that you pay or cancel, and judge the redirects and webhooks that follow',
      },
      'pay-command': {
        kind: 'text',
        isVerbatim: true,
        value: '<command>',
        text: 'with --pay: run this in a shell for each link, with the variables PAYLINK_PAY_LINK and PAYLINK_ACTION (pay or cancel)',
      },
      receiver: {
        kind: 'text',
        value: '<url>',
        text: 'with --pay: address from which webhooks reach this machine: a tunnel of a sandbox (https://…/tunnel/<name>), or of another program that leads to --port',
      },
      port: {
        kind: 'text',
        value: '<n>',
        text: 'with --pay: port on this machine for redirects and webhooks (a free one)',
      },
      'pay-timeout': {
        kind: 'text',
        value: '<time>',
        text: `with --pay: how long to wait for you to pay a link, up to 60m (${defaultTimes.servicePayment})`,
      },
      'webhook-timeout': {
        kind: 'text',
        value: '<time>',
        text: `with --pay: how long to wait for a webhook, and for its repetition, up to 60m (${defaultTimes.serviceWebhook})`,
      },
      file: {
        kind: 'text',
        value: '<file>',
        text: 'file for the result (paylink.calibration.json)',
      },
      har: {
        kind: 'text',
        value: '<file>',
        text: 'save every call and its answer as a HAR file, without keys',
      },
      check: {
        kind: 'switch',
        text: 'compare with the result of an earlier run, and change no file; for CI',
      },
      write: {
        kind: 'switch',
        text: 'set the behaviors of the service in the configuration file, which must be JSON',
      },
      config: { kind: 'text', value: '<file>', text: 'configuration file (that of start)' },
      ...verdictFlags,
      json,
    },
    examples: ['calibrate --plan', 'calibrate --plan --only errorStatus,payId --json'],
    exitCodes:
      '0: the service agrees. 1: something differs, or an answer is missing. 2: usage error. 3: no answer could be compared.',
  },
  accounts: {
    operands: ['[list|create]', '[name]'],
    text: 'lists accounts with their keys, or creates one',
    actions: {
      list: { operands: [], text: 'list accounts; the default' },
      create: { operands: ['[name]'], text: 'create an account' },
    },
    flags: {
      'payment-endpoint': {
        kind: 'text',
        value: '<url>',
        text: 'with create: address that receives the webhooks of links that name none (none)',
      },
      'callback-url': {
        kind: 'list',
        value: '<url>',
        text: 'with create: address that the callback_url of a link can name by its index, from 0; repeatable',
      },
      ...connectionFlags,
    },
    examples: [
      'accounts',
      'accounts create "Market stall" --payment-endpoint http://localhost:3000/webhooks',
    ],
  },
  clock: {
    operands: ['[show|advance|set|freeze|resume|real]', '[value]…'],
    text: 'shows the clock of the sandbox, or moves it',
    actions: {
      show: { operands: [], text: 'show the time; the default' },
      advance: {
        operands: ['<span>'],
        text: 'go forward, by a span like 90s, 1h30m, 2d or 1mo, or to next-month',
      },
      set: { operands: ['<time>'], text: 'set the time' },
      freeze: { operands: ['[time]'], text: 'stop the clock, at its current time or at another' },
      resume: { operands: [], text: 'let the clock run again' },
      real: { operands: [], text: 'follow the time of the machine again' },
    },
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
    text: 'lists, adds and removes faults, which make calls, webhooks or redirects fail',
    actions: {
      list: { operands: [], text: 'list faults; the default' },
      add: {
        operands: ['<on>', '<script>'],
        text: 'make api, webhook or redirect fail, with steps like 500,reset,pass',
      },
      remove: { operands: ['<id>'], text: 'remove one fault' },
      clear: { operands: [], text: 'remove all faults' },
    },
    flags: {
      operation: { kind: 'text', value: '<name>', text: 'only calls of this operation' },
      target: { kind: 'text', value: '<url>', text: 'only webhooks whose target begins with this text' },
      times: { kind: 'text', value: '<n>', text: 'how often the script runs, or always (1)' },
      probability: {
        kind: 'text',
        value: '<p>',
        text: 'probability of each step, above 0 and at most 1 (1)',
      },
      seed: {
        kind: 'text',
        value: '<n>',
        text: 'seed of the random choice; the same seed makes the same choices',
      },
      account: { kind: 'text', value: '<id|name>', text: 'only for this account' },
      ...connectionFlags,
    },
    examples: ['faults add api 500,reset,pass --operation createSplitLink', 'faults add webhook duplicate:2'],
  },
  invoices: {
    operands: ['[list]'],
    text: 'lists tax invoices, the newest month first',
    actions: { list: { operands: [], text: 'list tax invoices; the default' } },
    flags: { account, ...connectionFlags },
    examples: ['invoices', 'invoices --account "Flower Shop" --json'],
  },
  maps: {
    operands: ['[list|add|remove]', '[map]…'],
    text: 'lists, adds and removes URL maps',
    actions: {
      list: { operands: [], text: 'list URL maps; the default' },
      add: {
        operands: ['<origin>=<url>'],
        text: 'send webhooks and redirects for an origin to another address',
      },
      remove: { operands: ['<origin>'], text: 'remove the map of an origin' },
    },
    flags: { ...connectionFlags },
    examples: [
      'maps add https://shop.example.com=http://localhost:3000',
      'maps remove https://shop.example.com',
    ],
  },
  snapshot: {
    operands: ['[list|take|restore]', '[name]'],
    text: 'lists, takes and restores snapshots',
    actions: {
      list: { operands: [], text: 'list snapshots; the default' },
      take: { operands: ['<name>'], text: 'save the whole state under a name' },
      restore: { operands: ['<name>'], text: 'return to the state of a snapshot' },
    },
    flags: {
      replace: { kind: 'switch', text: 'with take: replace a snapshot of the same name' },
      ...connectionFlags,
    },
    examples: ['snapshot take base', 'snapshot restore base'],
  },
  reset: {
    operands: [],
    text: 'resets the sandbox to its seed, or one account to its original state',
    flags: {
      to: { kind: 'text', value: '<what>', text: 'what to reset to: seed, or empty for no accounts (seed)' },
      account: { kind: 'text', value: '<id|name>', text: 'only this account' },
      ...connectionFlags,
    },
    examples: ['reset', 'reset --account "Flower Shop"'],
  },
  sample: {
    operands: [],
    text: 'loads a sample story: the first day of a shop, in a sandbox without payments',
    flags: {
      account: { kind: 'text', value: '<id|name>', text: 'the shop (the first account)' },
      ...connectionFlags,
    },
    examples: ['sample', 'sample --account "Flower Shop" --json'],
  },
  import: {
    operands: ['<file>'],
    text: 'adds the calls of a HAR file to the timeline, each compared with the answer of the sandbox',
    flags: {
      origin: { kind: 'text', value: '<origin>', text: 'only calls to this address (calls to any address)' },
      ...connectionFlags,
    },
    examples: ['import checkout.har', 'import checkout.har --origin https://dev.pay.example --json'],
  },
  settle: {
    operands: [],
    text: 'waits until no webhook is due or under way, and counts the results',
    flags: {
      timeout: {
        kind: 'text',
        value: '<time>',
        text: `maximum time, like 500ms, 5s or 1m (${defaultTimes.settle})`,
      },
      account,
      ...connectionFlags,
    },
    examples: ['settle --timeout 20s', 'settle --account "Flower Shop" --json'],
  },
  health: {
    operands: [],
    text: 'checks whether a sandbox is ready; exits with 1 if not',
    flags: { sandbox: connectionFlags.sandbox, json },
    examples: ['health', 'health --sandbox https://pay.dev.example --json'],
  },
} as const satisfies Record<string, Command>

export type CommandName = keyof typeof commands

/** The commands whose first operand is an action. */
export type ActingCommand = {
  [Name in CommandName]: (typeof commands)[Name] extends { readonly actions: Actions } ? Name : never
}[CommandName]

/** The commands by task, in the order in which help lists them. */
export const commandGroups = {
  Run: ['start', 'stop', 'exec', 'mcp', 'health'],
  'Create and pay': ['create', 'pay', 'cancel', 'decline', 'refund'],
  Observe: ['events', 'wait', 'settle', 'invoices', 'import'],
  'Your webhook receiver': ['check', 'listen', 'replay', 'release'],
  'The real service': ['calibrate'],
  'Change the sandbox': ['accounts', 'clock', 'faults', 'maps', 'snapshot', 'sample', 'reset'],
} as const satisfies Readonly<Record<string, readonly CommandName[]>>

export const commandNames: readonly CommandName[] = Object.values(commandGroups).flat()

/** What other tools call a command. */
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

/** How a command is written: `paylink-sandbox pay <link> [flags]`. */
export function usageOf(name: CommandName): string {
  const { operands }: Command = commands[name]
  const rest = name === 'exec' ? ['[flags]', '--', '<command>', '[argument]…'] : [...operands, '[flags]']
  return ['paylink-sandbox', name, ...rest].join(' ')
}
