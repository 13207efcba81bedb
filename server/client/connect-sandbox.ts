import type { CallerCheckOptions, CallerCheckReport } from '../contract/checks/caller-check.ts'
import type { CheckOptions, CheckReport } from '../contract/checks/check.ts'
import { CheckError } from '../verify/app/run/check-error.ts'
import { didYouMeanSentence } from '../domain/text/closest-match.ts'
import type { ImportView, InfoView, SampleStoryView, SnapshotView } from '../contract/views.ts'
import {
  createAccountHandle,
  explainMissingWebhook,
  type AccountContext,
  type AccountOptions,
  type SandboxAccount,
} from './account.ts'
import { createBehaviors, type Behaviors } from './behaviors.ts'
import { createClockHandle, type SandboxClock } from './clock.ts'
import { requestTests } from './failure-tests.ts'
import { createFaults, type Faults } from './faults.ts'
import { isPlainObject } from '../domain/text/is-object.ts'
import { describeValue } from './option-value.ts'
import { createAllowedHosts, createMaps, type AllowedHosts, type Maps } from './egress-rules.ts'
import { createPayments, type Payments } from './payments.ts'
import { startReceiver, type Receiver, type ReceiverOptions } from './receiver.ts'
import type { Fetch } from '../domain/http/fetch.ts'
import { readAllAccounts } from '../contract/read-all-accounts.ts'
import { SandboxError } from '../contract/sandbox-error.ts'
import { createRequest, type Request } from './request.ts'
import { sandboxFetch } from './sandbox-fetch.ts'
import { createRecords, type Records } from './records.ts'
import { createTunnels, type TunnelListener, type Tunnels } from './tunnels.ts'
import { createWaits, type Waits } from './waits.ts'
import { whyInvalidHeaderValue } from '../domain/http/header-value.ts'
import { addressExample, completeAddress } from '../domain/network/complete-address.ts'
import { tidy } from '../domain/text/tidy.ts'
import { hasCredentials, hidePasswords } from '../domain/network/credentials.ts'

export interface ConnectOptions {
  /** Required if the sandbox has an admin token. */
  readonly adminToken?: string | undefined
  /** If set, only this certificate is accepted (PEM). By default, every certificate that this process trusts is accepted. */
  readonly certificate?: string | undefined
}

/**
 * The handle of a sandbox in this process or elsewhere. It uses only the control API. Methods throw `SandboxError` if the sandbox
 * rejects a request or cannot be reached.
 */
export interface Sandbox extends Payments, Records, Waits {
  /** The base URL of the service for your app, without a path: `http://127.0.0.1:4400`. */
  readonly url: string
  readonly version: string
  /** The behaviors of accounts that have not set their own. */
  readonly behaviors: Behaviors
  /** Faults that apply to every account. */
  readonly faults: Faults
  readonly maps: Maps
  readonly allowedHosts: AllowedHosts
  readonly clock: SandboxClock
  readonly tunnels: Tunnels
  /** Returns counts, clock and behaviors. `run` lists the behaviors that calls have depended on since the sandbox started. */
  info(): Promise<InfoView>
  /** Creates an account with its own API key. An account with the same name has the same ids in every run. */
  createAccount(options?: AccountOptions): Promise<SandboxAccount>
  /**
   * Finds an account by id or name, such as the seeded `Flower Shop`. Throws `SandboxError` if there is none,
   * or if several have this name.
   */
  account(idOrName: string): Promise<SandboxAccount>
  accounts(): Promise<readonly SandboxAccount[]>
  /**
   * Starts a webhook endpoint that belongs to no account. Pass its `url` as a payment endpoint. The endpoint is closed together
   * with the sandbox.
   */
  receiver(options?: ReceiverOptions): Promise<Receiver>
  /**
   * Tests a webhook receiver with different encodings, repetitions, wrong sequences and forgeries. `receiver` is its URL. Throws
   * `CheckError` if the check cannot start or continue.
   */
  check(receiver: string, options?: CheckOptions): Promise<CheckReport>
  /**
   * Tests an app that creates payment links. Places orders while calls fail as they can in production. A POST to `orderUrl` must
   * place an order. The app must use this sandbox. Throws `CheckError` if the check cannot start or continue.
   */
  checkCaller(orderUrl: string, options?: CallerCheckOptions): Promise<CallerCheckReport>
  /** Resets the sandbox to its seed, or removes all accounts (`to: 'empty'`). */
  reset(options?: { readonly to?: 'seed' | 'empty' }): Promise<void>
  /** Saves the whole state under a name. Throws `SandboxError` if the name is taken and `replace` is not set. */
  snapshot(name: string, options?: { readonly replace?: boolean }): Promise<SnapshotView>
  /** Restores the state of a snapshot. */
  restore(name: string): Promise<void>
  snapshots(): Promise<readonly SnapshotView[]>
  /**
   * Plays the first day of a shop, in a sandbox without payments. `account` is the id of the shop's account, by default the first
   * account. Throws `SandboxError` if there are payments. `restore(snapshot)` undoes everything.
   */
  loadSampleStory(options?: { readonly account?: string }): Promise<SampleStoryView>
  /**
   * Adds the calls of an HTTP Archive to the journal, each together with the response that the sandbox would give. `har` is the
   * text of the file. With `origin`, imports only calls to this origin. Throws `SandboxError` if the text is not an HTTP Archive.
   */
  importHar(har: string, options?: { readonly name?: string; readonly origin?: string }): Promise<ImportView>
  /** Closes everything that this handle has started. A second call waits for the first. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Connects to a running sandbox. `url` has no path. Throws `SandboxError` if no sandbox answers within 30 seconds. */
export async function connectSandbox(url: string, options: ConnectOptions = {}): Promise<Sandbox> {
  const origin = parseOrigin(url)
  const connection = await openConnection(origin, options)
  const { adminToken, fetch } = connection
  const facts = await readFacts(origin, createRequest(origin, adminToken, fetch))
  return createHandle({ url: origin, ...facts }, connection)
}

/** Returns a handle without checking whether a sandbox runs at this URL. Sends no request. */
export const handleOf = async (
  facts: Facts & { readonly url: string },
  options: ConnectOptions,
): Promise<Sandbox> => createHandle(facts, await openConnection(facts.url, options))

/** Facts that do not change while a sandbox runs. */
interface Facts {
  readonly version: string
  /** Origin of the upstream that answers API calls, or `null` if the sandbox answers them itself. */
  readonly upstream: string | null
}

interface Connection extends ConnectOptions {
  readonly fetch: Fetch
}

async function openConnection(url: string, options: ConnectOptions): Promise<Connection> {
  if (!isPlainObject(options as unknown)) {
    throw new TypeError(
      `The options of connectSandbox are ${describeValue(options)}. Pass an object like { adminToken: '…' }.`,
    )
  }
  const { certificate } = options
  const adminToken = readToken(options.adminToken)
  return { certificate, adminToken, fetch: await sandboxFetch(url, certificate) }
}

/** Returns the handle of the sandbox at a URL. Its requests use `fetch`. */
export function createHandle(
  { url, version, upstream }: Facts & { readonly url: string },
  { adminToken, certificate, fetch }: Connection,
): Sandbox {
  const request = createRequest(url, adminToken, fetch)
  const receivers = new Set<Receiver>()
  const tunnelListeners = new Set<TunnelListener>()
  const context: AccountContext = {
    url,
    request,
    fetch,
    upstream,
    closeWithSandbox: (receiver) => receivers.add(receiver),
  }
  const payments = createPayments(request, undefined)

  async function accounts(): Promise<SandboxAccount[]> {
    const all = await readAllAccounts((query) => request('GET /accounts', { query }))
    return all.map((shown) => createAccountHandle(context, shown))
  }

  async function createAccount(accountOptions: AccountOptions = {}): Promise<SandboxAccount> {
    if (!isPlainObject(accountOptions)) {
      throw new TypeError(
        `createAccount needs an object like { name: 'Bakery' }, not ${describeValue(accountOptions)}.`,
      )
    }
    const { behaviors, ...options } = accountOptions
    const account = createAccountHandle(context, await request('POST /accounts', { json: options }))
    try {
      if (behaviors) await account.behaviors.set(behaviors)
      return account
    } catch (error) {
      // Deletes the account, because a later account with this name would otherwise get different ids.
      await account.delete()
      throw error
    }
  }

  async function check(receiver: string, options: CheckOptions = {}): Promise<CheckReport> {
    rejectUpstream()
    const { createSandboxPort, runCheck } = await import('./checks/run-checks.ts')
    const port = createSandboxPort({ request, payments, createAccount, findAccount })
    try {
      const report = await runCheck(receiver, options, port)
      await requestTests(request, options, { isCaller: false, url: receiver }, report)
      return report
    } finally {
      await port.close()
    }
  }

  async function checkCaller(orderUrl: string, options: CallerCheckOptions = {}): Promise<CallerCheckReport> {
    rejectUpstream()
    const { checkCases, createCallerSandbox, createSandboxPort, runCallerCheck } =
      await import('./checks/run-checks.ts')
    const port = createSandboxPort({ request, payments, createAccount, findAccount })
    const caller = createCallerSandbox({ request, port })
    const report = await runCallerCheck(orderUrl, options, caller, checkCases)
    await requestTests(request, options, { isCaller: true, url: orderUrl }, report)
    return report
  }

  /** A check makes the app place orders. With an upstream, the calls for them would go to the real service. */
  function rejectUpstream(): void {
    if (upstream === null) return
    throw new CheckError(
      `Nothing was checked, because ${upstream} answers the calls of this sandbox: your app would create links there. Check with a sandbox that runs without --upstream.`,
    )
  }

  async function findAccount(idOrName: string): Promise<SandboxAccount> {
    const all = await accounts()
    const byId = all.find(({ id }) => id === idOrName)
    if (byId) return byId
    const [found, ...others] = all.filter(({ name }) => name === idOrName)
    if (found && others.length === 0) return found
    throw new SandboxError(explainAccountName(idOrName, all), 'GET /_sandbox/v1/accounts', 200)
  }

  async function close(): Promise<void> {
    await Promise.all([...tunnelListeners, ...receivers].map((one) => one.close()))
  }

  return {
    url,
    version,
    ...payments,
    ...createRecords(request, undefined),
    ...createWaits(request, undefined),
    behaviors: createBehaviors(request, undefined),
    faults: createFaults(request, undefined),
    maps: createMaps(request),
    allowedHosts: createAllowedHosts(request),
    clock: createClockHandle(request),
    tunnels: createTunnels(request, {
      url,
      token: adminToken,
      certificate,
      closeWithSandbox: (listener) => tunnelListeners.add(listener),
    }),
    info: () => request('GET /info'),
    createAccount,
    account: findAccount,
    accounts,
    async receiver(options = {}) {
      const receiver = await startReceiver(options, (address) => explainMissingWebhook(payments, address))
      receivers.add(receiver)
      return receiver
    },
    check,
    checkCaller,
    async reset(options = {}) {
      await request('POST /reset', { json: options })
    },
    snapshot: (name, options = {}) => request('POST /snapshots', { json: { name, ...options } }),
    async restore(name) {
      await request('POST /snapshots/:name/restore', { param: { name } })
    },
    snapshots: async () => (await request('GET /snapshots')).snapshots,
    loadSampleStory: (options = {}) => request('POST /seed/sample-story', { json: options }),
    importHar: (har, query = {}) =>
      request('POST /import.har', { query, file: new TextEncoder().encode(har) }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Explains that no account has this name, or that several have it. */
function explainAccountName(idOrName: string, all: readonly SandboxAccount[]): string {
  const named = all.filter(({ name }) => name === idOrName)
  if (named.length > 0) {
    const ids = named.map(({ id }) => id).join(', ')
    return `${named.length} accounts are named ${JSON.stringify(idOrName)}. Pass the id of one: ${ids}.`
  }
  const names = [...new Set(all.map(({ name }) => name))]
  const available = names.map((name) => JSON.stringify(name)).join(', ')
  return `There is no account ${JSON.stringify(idOrName)}.${didYouMeanSentence(idOrName, names)} Available: ${available || 'none'}.`
}

/** A token from a file of variables may end with a line break. */
function readToken(token: string | undefined): string | undefined {
  if (token === undefined) return undefined
  if (typeof token !== 'string')
    throw new TypeError(`adminToken is ${describeValue(token)}. It must be a string.`)
  const problem = whyInvalidHeaderValue(tidy(token))
  if (problem !== undefined) throw new TypeError(`adminToken ${problem}.`)
  return tidy(token)
}

function parseOrigin(sandboxUrl: string): string {
  if (typeof sandboxUrl !== 'string') {
    // The most likely cause is a variable that is not set.
    throw new TypeError(
      `connectSandbox needs the URL of a sandbox, such as http://127.0.0.1:4400, but was called with ${describeValue(sandboxUrl)}.`,
    )
  }
  const url = completeAddress(tidy(sandboxUrl))
  if (hasCredentials(url)) {
    throw new TypeError(
      `${hidePasswords(url)} has a user name or a password, but a sandbox takes neither. Leave them out, and pass its admin token as adminToken.`,
    )
  }
  const { protocol = '', origin = '', pathname = '' } = URL.canParse(url) ? new URL(url) : {}
  if ((protocol === 'http:' || protocol === 'https:') && pathname === '/') return origin
  throw new TypeError(
    `${JSON.stringify(hidePasswords(url))} is not the URL of a sandbox. Give one like ${addressExample(url, 'http://127.0.0.1:4400')}, without a path.`,
  )
}

/** A busy machine may need some seconds for the first answer of a new sandbox. */
const CONNECT_TIMEOUT_MS = 30_000

/** Reads facts about the sandbox. Rejects if no sandbox responds in time. */
async function readFacts(origin: string, request: Request): Promise<Facts> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(noAnswerError(origin)), CONNECT_TIMEOUT_MS)
  })
  try {
    const info = await Promise.race([request('GET /info'), late])
    if (typeof info?.version !== 'string') throw notSandboxError(origin, JSON.stringify(info).slice(0, 100))
    return { version: info.version, upstream: info.upstream ?? null }
  } finally {
    clearTimeout(timer)
  }
}

const noAnswerError = (origin: string): SandboxError =>
  new SandboxError(
    `The server at ${origin} has not answered GET /_sandbox/v1/info within ${CONNECT_TIMEOUT_MS / 1000} s. Correct the URL. If a sandbox runs there, let the machine do less, or restart the sandbox.`,
    'GET /_sandbox/v1/info',
    null,
  )

const notSandboxError = (origin: string, problem: string): SandboxError =>
  new SandboxError(
    `The server at ${origin} does not answer like a sandbox: ${problem}. Correct the URL, or start a sandbox there.`,
    'GET /_sandbox/v1/info',
    null,
  )
