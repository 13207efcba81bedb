import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import type { PaymentTiming } from './evaluate-timing.ts'
import { payIdInWebhook } from './describe-notification.ts'
import type { NotificationResult, PaidLink, ServicePayments } from './run-probe.ts'
import type { Exchange } from '../../domain/http/exchange.ts'
import { numberInPayLink } from '../../domain/api/read-answer.ts'
import { timeoutSignal } from '../../domain/time/timeout-signal.ts'
import { startPaymentServer, textAnswer, type ServerReply } from './payment-server.ts'

interface PaymentOptions {
  /** The address at which the service reaches this machine. If undefined, no webhook can arrive. */
  readonly receiver: string | undefined
  /** The port on this machine, or 0 for a free one. */
  readonly port: number
  /** Makes someone pay or cancel the link. Returns why this failed, or `undefined`. Stops when the signal is aborted. */
  readonly pay: (link: string, outcome: 'pay' | 'cancel', signal: AbortSignal) => Promise<string | undefined>
  /** How long to wait for a person to pay. */
  readonly payTimeoutMs: number
  /** How long to wait for a webhook, or for the same webhook again. */
  readonly webhookTimeoutMs: number
  /** Replaces secrets in everything that arrives. */
  readonly mask: (exchange: Exchange) => Promise<Exchange>
  readonly signal: AbortSignal
  readonly onWait: (text: string) => void
}

interface Attempt {
  readonly at: number
  answeredAt: number
  readonly exchange: Exchange
}

/** What arrives for one link. */
interface Arrivals {
  readonly id: string
  /** `undefined` until the link is created. */
  link: PaidLink | undefined
  redirect: Attempt | undefined
  /** All POSTs to the address for webhooks. */
  readonly posts: Attempt[]
  /** Whether the receiver makes attempts fail, so that the service sends them again. */
  fails: boolean
}

const newArrivals = (id: string): Arrivals => ({
  id,
  link: undefined,
  redirect: undefined,
  posts: [],
  fails: false,
})

/** The attempts of the webhook. Only requests with the `pay_id` of the payment count. */
function attemptsOf({ link, redirect, posts }: Arrivals): Attempt[] {
  const redirected = redirect && new URL(redirect.exchange.request.url).searchParams.get('pay_id')
  const knownIds = [link?.id, numberInPayLink(link?.payLink), redirected ? Number(redirected) : undefined]
  return posts.filter(({ exchange }) => {
    const payId = payIdInWebhook(exchange.request)
    return payId !== undefined && knownIds.includes(payId)
  })
}

const INTERRUPTED = 'the run was interrupted'
const REACH_MS = 10_000
/** How long the receiver waits before it responds to the first attempt of a webhook, so that the redirect can arrive first. */
const HOLD_MS = 5_000

/** The result of a wait that began at `startedAt`, according to `performance.now()`. */
const resultSince = (
  startedAt: number,
  rest: { readonly request: Exchange['request'] | null } | { readonly failure: string },
  received: readonly Exchange[] = [],
): NotificationResult => {
  const ms = Math.round(performance.now() - startedAt)
  return { ...rest, startedAt: new Date(Date.now() - ms).toISOString(), ms, received }
}

/** Prints links to pay, and receives the redirects and webhooks of the service. */
export async function startPayments(options: PaymentOptions) {
  const { receiver, pay, payTimeoutMs, webhookTimeoutMs, mask, signal, onWait } = options
  let current = newArrivals('')
  let hasWebhook = false
  let timing: PaymentTiming | undefined
  const changes = new EventEmitter().setMaxListeners(0)
  const closing = new AbortController()
  const stopped = AbortSignal.any([signal, closing.signal])
  const notify = (): void => void changes.emit('change')

  /** Waits until a condition is met. Returns whether it is. */
  async function until(isMet: () => boolean, timeoutMs: number): Promise<boolean> {
    const ended = timeoutSignal(timeoutMs, stopped)
    while (!isMet() && !ended.aborted) await once(changes, 'change', { signal: ended }).catch(() => {})
    return isMet()
  }

  const server = await startPaymentServer(options.port, async (request, at) => {
    const [, id, kind] = /\/calibrate\/(\w+)\/(callback|webhook)(?:[?#]|$)/.exec(request.url) ?? []
    if (id !== current.id || kind === undefined) return [404, 'calibrate waits for no such request.']
    const arrivals = current
    if (kind === 'callback') {
      const text = 'calibrate has seen this redirect. You can close this page.'
      const exchange = await mask({ request, response: textAnswer(200, text) })
      arrivals.redirect ??= { at, answeredAt: at, exchange }
      notify()
      return [200, text]
    }
    if (request.method !== 'POST') return [405, 'A webhook is a POST.']
    const answer: ServerReply = arrivals.fails ? [500, 'This attempt fails on purpose.'] : [200, 'OK']
    const attempt: Attempt = {
      at,
      answeredAt: Infinity,
      exchange: await mask({ request, response: textAnswer(...answer) }),
    }
    arrivals.posts.push(attempt)
    notify()
    if (arrivals.fails) await until(() => arrivals.redirect !== undefined, HOLD_MS)
    attempt.answeredAt = performance.now()
    notify()
    return answer
  })

  const base = receiver ?? `http://127.0.0.1:${server.port}`
  const payments: ServicePayments = {
    targets() {
      current = newArrivals(randomBytes(6).toString('hex'))
      return {
        callback: `${base}/calibrate/${current.id}/callback`,
        webhook: receiver && `${base}/calibrate/${current.id}/webhook`,
      }
    },
    async redirect(link, outcome) {
      const startedAt = performance.now()
      current.link = link
      current.fails = outcome === 'pay'
      let failed: string | undefined
      const paying = new AbortController()
      void pay(link.payLink, outcome, AbortSignal.any([stopped, paying.signal])).then((reason) => {
        failed = reason
        notify()
      })
      await until(() => current.redirect !== undefined || failed !== undefined, payTimeoutMs)
      if (current.redirect) {
        const { exchange } = current.redirect
        return resultSince(startedAt, { request: exchange.request }, [exchange])
      }
      // Stops paying, because later payments would not be evaluated.
      paying.abort()
      const verb = outcome === 'pay' ? 'paid' : 'cancelled'
      const failure = signal.aborted
        ? INTERRUPTED
        : (failed ??
          `nobody ${verb} the link within ${payTimeoutMs / 1000} s, or the browser did not come back`)
      return resultSince(startedAt, { failure })
    },
    async webhook(outcome) {
      const startedAt = performance.now()
      if (receiver === undefined) return { failure: 'it needs --receiver', startedAt: null, ms: 0 }
      const hasAttempt = (): boolean => attemptsOf(current).length > 0
      if (!hasAttempt()) onWait(`Waiting up to ${webhookTimeoutMs / 1000} s for the webhook.`)
      await until(hasAttempt, webhookTimeoutMs)
      if (signal.aborted) return resultSince(startedAt, { failure: INTERRUPTED })
      const [first] = attemptsOf(current)
      const others = current.posts.map(({ exchange }) => exchange)
      hasWebhook ||= first !== undefined
      if (first === undefined) {
        // Other webhooks have arrived, so the service certainly does not send this one.
        if (outcome === 'cancel' && hasWebhook && others.length === 0)
          return resultSince(startedAt, { request: null })
        const what =
          others.length === 0
            ? 'no webhook arrived'
            : `no webhook arrived that has the pay_id of this payment`
        return resultSince(startedAt, { failure: `${what} within ${webhookTimeoutMs / 1000} s` }, others)
      }
      if (current.fails) await awaitRepetitions(current)
      return resultSince(
        startedAt,
        { request: first.exchange.request },
        current.posts.map(({ exchange }) => exchange),
      )
    },
    timing: () => timing,
  }

  /** Waits until no attempt has arrived for some time. From then on, the receiver lets attempts succeed. */
  async function awaitRepetitions(arrivals: Arrivals): Promise<void> {
    const attempts = (): Attempt[] => attemptsOf(arrivals)
    await until(() => attempts().every(({ answeredAt }) => answeredAt !== Infinity), HOLD_MS * 2)
    onWait(`The webhook failed on purpose. Waiting ${webhookTimeoutMs / 1000} s for a repetition.`)
    for (let count = 0; count !== attempts().length && !signal.aborted;) {
      count = attempts().length
      await until(() => attempts().length > count, webhookTimeoutMs)
    }
    // Copied now, because a later call may make the service send the webhook again.
    timing = { redirectAt: arrivals.redirect?.at, attempts: attempts(), quietMs: webhookTimeoutMs }
    arrivals.fails = false
  }

  return {
    ...payments,
    port: server.port,
    /** Whether a request to the receiver's address arrives here. */
    async isReachable(): Promise<boolean> {
      const { webhook } = payments.targets()
      const request = { method: 'POST', signal: timeoutSignal(REACH_MS, signal) }
      await fetch(webhook!, request).catch(() => {})
      return current.posts.length > 0
    },
    async [Symbol.asyncDispose](): Promise<void> {
      closing.abort()
      await server[Symbol.asyncDispose]()
    },
  }
}
