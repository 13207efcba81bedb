import type { CheckOptions } from '../contract/check.ts'
import type { CheckReport } from '../contract/check.ts'
import { runCheck } from '../receiver-check/run-check.ts'
import type { AccountView, InfoView, SnapshotView } from '../contract/views.ts'
import {
  createAccountHandle,
  explainMissingWebhook,
  type AccountContext,
  type AccountOptions,
  type SandboxAccount,
} from './account.ts'
import { createSandboxPort } from './sandbox-port.ts'
import { createBehaviors, type Behaviors } from './behaviors.ts'
import { createClock, type SandboxClock } from './clock.ts'
import { createFaults, type Faults } from './faults.ts'
import { fetchPinnedTo } from './pinned-fetch.ts'
import { describeValue, isPlainObject } from './option-value.ts'
import { createAllowedHosts, createMaps, type AllowedHosts, type Maps } from './egress-rules.ts'
import { createPayments, type Payments } from './payments.ts'
import { startReceiver, type Receiver, type ReceiverOptions } from './receiver.ts'
import { createRequest, SandboxError, type Request } from './request.ts'
import { createRecords, type Records } from './records.ts'
import { createTunnels, type TunnelListener, type Tunnels } from './tunnels.ts'
import { createWaits, type Waits } from './waits.ts'

export interface ConnectOptions {
  /** Asked for by a sandbox that listens beyond its own machine. */
  readonly adminToken?: string | undefined
  /** The one certificate to accept, as PEM. By default any that this process trusts. */
  readonly certificate?: string | undefined
}

/** A sandbox, started here or elsewhere, by its control API. */
export interface Sandbox extends Payments, Records, Waits {
  /** What your app has as the service's base URL. */
  readonly url: string
  readonly version: string
  /** Of the whole sandbox, where an account has chosen nothing else. */
  readonly behaviors: Behaviors
  /** For every account. */
  readonly faults: Faults
  readonly maps: Maps
  readonly allowedHosts: AllowedHosts
  readonly clock: SandboxClock
  readonly tunnels: Tunnels
  /** Looks at the sandbox: counts, clock, behaviors, and in `run` what was relied on and touched since the start. */
  info(): Promise<InfoView>
  /** Makes an account with a key of its own. The same name gets the same ids in every run. */
  createAccount(options?: AccountOptions): Promise<SandboxAccount>
  /** The account with an id or a name, such as the seeded `Flower Shop`. */
  account(idOrName: string): Promise<SandboxAccount>
  accounts(): Promise<readonly SandboxAccount[]>
  /** Starts a webhook endpoint that no account has: name its `url` where you need it. */
  receiver(options?: ReceiverOptions): Promise<Receiver>
  /** Tries your webhook receiver with everything it has to stand: encodings, repetitions, forgeries. */
  check(receiver: string, options?: CheckOptions): Promise<CheckReport>
  /** Takes everything back, to the seed or to nothing. */
  reset(options?: { readonly to?: 'seed' | 'empty' }): Promise<void>
  /** Keeps everything as it is under a name. */
  snapshot(name: string, options?: { readonly replace?: boolean }): Promise<SnapshotView>
  /** Puts everything back as it was when the snapshot was taken. */
  restore(name: string): Promise<void>
  snapshots(): Promise<readonly SnapshotView[]>
  /** Ends what this handle has started. Calling it again waits for the same end. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Takes hold of a sandbox that runs already. */
export async function connectSandbox(
  url: string,
  { adminToken, certificate }: ConnectOptions = {},
): Promise<Sandbox> {
  const origin = parseOrigin(url)
  const fetch = certificate === undefined ? globalThis.fetch : await fetchPinnedTo(certificate)
  const request = createRequest(origin, adminToken, fetch)
  const { version } = await readVersion(origin, request)
  const receivers = new Set<Receiver>()
  const tunnelListeners = new Set<TunnelListener>()
  const context: AccountContext = {
    url: origin,
    request,
    fetch,
    closeLater: (receiver) => receivers.add(receiver),
  }
  const payments = createPayments(request, undefined)

  async function accounts(): Promise<SandboxAccount[]> {
    const { accounts: all } = await request<{ accounts: AccountView[] }>('GET', '/accounts')
    return all.map((shown) => createAccountHandle(context, shown))
  }

  async function createAccount(said: AccountOptions = {}): Promise<SandboxAccount> {
    if (!isPlainObject(said)) {
      throw new TypeError(
        `An account is made of an object like { name: 'Bakery' }, not of ${describeValue(said)}.`,
      )
    }
    const { behaviors, ...options } = said
    const account = createAccountHandle(
      context,
      await request<AccountView>('POST', '/accounts', { body: options }),
    )
    try {
      if (behaviors) await account.behaviors.set(behaviors)
      return account
    } catch (error) {
      // Or the next one of that name would get other ids.
      await account.delete()
      throw error
    }
  }

  async function check(receiver: string, options: CheckOptions = {}): Promise<CheckReport> {
    const bench = createSandboxPort({ request, payments, createAccount })
    try {
      return await runCheck(receiver, options, bench)
    } finally {
      await bench.close()
    }
  }

  async function close(): Promise<void> {
    await Promise.all([...tunnelListeners, ...receivers].map((one) => one.close()))
  }

  return {
    url: origin,
    version,
    ...payments,
    ...createRecords(request, undefined),
    ...createWaits(request, undefined),
    behaviors: createBehaviors(request, undefined),
    faults: createFaults(request, undefined),
    maps: createMaps(request),
    allowedHosts: createAllowedHosts(request),
    clock: createClock(request),
    tunnels: createTunnels(request, {
      url: origin,
      token: adminToken,
      certificate,
      closeLater: (listener) => tunnelListeners.add(listener),
    }),
    info: () => request('GET', '/info'),
    createAccount,
    async account(idOrName) {
      const all = await accounts()
      const found = all.find(({ id }) => id === idOrName) ?? all.find(({ name }) => name === idOrName)
      if (found) return found
      const names = all.map(({ name }) => JSON.stringify(name)).join(', ')
      throw new SandboxError(
        `There is no account ${JSON.stringify(idOrName)}. There are ${names || 'none'}.`,
        'GET /_sandbox/v1/accounts',
        null,
      )
    },
    accounts,
    async receiver(options = {}) {
      const receiver = await startReceiver(options, (address) => explainMissingWebhook(payments, address))
      receivers.add(receiver)
      return receiver
    },
    check,
    async reset(options = {}) {
      await request('POST', '/reset', { body: options })
    },
    snapshot: (name, options = {}) => request('POST', '/snapshots', { body: { name, ...options } }),
    async restore(name) {
      await request('POST', `/snapshots/${encodeURIComponent(name)}/restore`)
    },
    snapshots: async () => (await request<{ snapshots: SnapshotView[] }>('GET', '/snapshots')).snapshots,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function parseOrigin(url: string): string {
  const { protocol = '', origin = '', pathname = '' } = URL.canParse(url) ? new URL(url) : {}
  if ((protocol === 'http:' || protocol === 'https:') && pathname === '/') return origin
  throw new TypeError(
    `${JSON.stringify(url)} is no address of a sandbox. Give one like http://127.0.0.1:4400, without a path.`,
  )
}

const CONNECT_TIMEOUT_MS = 10_000

/** Makes sure that a sandbox is there, and not something else that answers, or that never does. */
async function readVersion(origin: string, request: Request): Promise<{ readonly version: string }> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(notASandbox(origin, 'nothing came within 10 s')), CONNECT_TIMEOUT_MS)
  })
  try {
    const info = await Promise.race([request<{ version?: unknown }>('GET', '/info'), late])
    if (typeof info?.version !== 'string') throw notASandbox(origin, JSON.stringify(info).slice(0, 100))
    return { version: info.version }
  } finally {
    clearTimeout(timer)
  }
}

const notASandbox = (origin: string, seen: string): SandboxError =>
  new SandboxError(
    `What listens at ${origin} does not answer like a sandbox: ${seen}.`,
    'GET /_sandbox/v1/info',
    null,
  )
