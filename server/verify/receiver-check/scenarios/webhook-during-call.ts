import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { CaseFailure } from '../case-failure.ts'
import type { CaseTools } from '../case-tools.ts'
import { requestApp } from '../../app/orders/request-app.ts'
import { send } from '../webhooks/send.ts'

export interface SlowCall {
  readonly account: string
  /** The operation of the call. By default, the next call of any operation is answered late. */
  readonly operation?: 'refundPayment'
  /** Makes the app call the service. The app may give up before the answer. */
  start(): Promise<unknown>
  /** Waits until the service has the call. Returns whether it has. */
  arrives(): Promise<boolean>
}

/** Long enough for a busy machine, and shorter than the time that most apps wait for the service. */
const DELAY_MS = 4_000

/**
 * Throws if the webhook of another order gets no answer while the app waits for the service, although the app answers other requests
 * meanwhile: then it holds a lock during the call. An app that handles one request after another holds none.
 */
export async function expectAnswerDuringCall(tools: CaseTools, name: string, call: SlowCall): Promise<void> {
  const usualMs = await webhookTime(tools, await tools.make())
  const order = await tools.make()
  const times = await during(tools, call, DELAY_MS, async () => {
    const simpleMs = await simpleRequestTime(tools, order)
    return simpleMs === undefined ? undefined : { simpleMs, webhookMs: await webhookTime(tools, order) }
  })
  if (times === undefined) return
  const { simpleMs, webhookMs } = times
  // With a lock, the answer comes when the call has ended. A busy machine only delays it.
  const untilEndMs = DELAY_MS - simpleMs
  if (webhookMs < untilEndMs * MOSTLY || isWaiting(usualMs, webhookMs)) return
  const seen = `while the service took ${seconds(DELAY_MS)} to answer the call of ${name} for one order, the webhook of another order got its answer after ${seconds(webhookMs)}. Meanwhile, the app answered a simple request after ${seconds(simpleMs)}. Before, it answered a webhook after ${seconds(usualMs)}`
  throw new CaseFailure({ problem: 'webhook-waits', seen }, order)
}

/** The check notices the call a little later than it began. */
const MOSTLY = 0.8

/** Whether a webhook seems to have waited for a call whose answer came late. */
export const isWaiting = (webhookMs: number, delayMs: number): boolean => webhookMs > delayMs / 2

/** How long a webhook takes while the service answers a call late, in milliseconds. `undefined` if the app made no call. */
export async function webhookTimeDuring(
  tools: CaseTools,
  call: SlowCall,
  delayMs: number,
): Promise<number | undefined> {
  const order = await tools.make()
  return during(tools, call, delayMs, () => webhookTime(tools, order))
}

/** Makes the service answer a call late, and does something meanwhile. `undefined` if the app made no call. */
export async function during<Result>(
  tools: CaseTools,
  { account, operation, start, arrives }: SlowCall,
  delayMs: number,
  act: () => Promise<Result>,
): Promise<Result | undefined> {
  const undo = await tools.sandbox.delayAnswer(account, delayMs, operation)
  try {
    const [result] = await Promise.all([
      arrives().then((hasArrived) => (hasArrived ? act() : undefined)),
      start(),
    ])
    return result
  } finally {
    await undo()
  }
}

export const newLinkOf = async (
  tools: CaseTools,
  account: string,
  start: () => Promise<unknown>,
): Promise<SlowCall> => {
  const since = await tools.now()
  const isCreated = async (): Promise<boolean> =>
    (await tools.sandbox.createdLinks(since, account)).some((id) => !tools.orders.hasPlaced(id))
  return { account, start, arrives: () => tools.waitUntil(isCreated) }
}

async function webhookTime({ context, name: check }: CaseTools, order: CheckedOrder): Promise<number> {
  const encoding = (await context.acceptedEncoding.detect()) ?? 'form'
  return timeOf(() => send(context, { order, check }, { encoding }))
}

/** How long to wait for a simple request. The next one is then sent beside it. */
const SIMPLE_MS = 400

/**
 * How long a request takes for which an app needs no lock: a webhook without a body, or a POST or a GET of an address that does not exist.
 * Sends one after another, because requests that wait for a lock can keep a server busy. `undefined` if none is answered soon.
 */
async function simpleRequestTime(
  { context, name: check }: CaseTools,
  order: CheckedOrder,
): Promise<number | undefined> {
  const nowhere = new URL(`/${randomUUID()}`, context.receiver).href
  const requests = [
    () => send(context, { order, check }, { encoding: 'form', body: '' }),
    () => requestApp(nowhere, '', context.options),
    () => requestApp(nowhere, undefined, context.options),
  ]
  for (const request of requests) {
    const time = timeOf(() => request().catch(() => undefined))
    const soon = await Promise.race([time, pause(SIMPLE_MS)])
    if (soon !== undefined) return soon
  }
  return undefined
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`
