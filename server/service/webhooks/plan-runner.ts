import { setMaxListeners } from 'node:events'
import { clearsAccount, startsEpoch, type RecordedEvent } from '../../domain/events/event.ts'
import type { HttpFetch } from '../../domain/http/http-fetch.ts'
import { timeoutSignal } from '../../domain/time/timeout-signal.ts'
import { isUnderway, type NotificationPlan, type PlanStep } from '../../domain/webhooks/notification-plan.ts'
import { withStatus } from '../../domain/webhooks/redirect.ts'
import { untilAborted } from '../../platform/system/until-aborted.ts'
import { pauseAfterFailure } from '../../store/pause-after-failure.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import * as plans from '../../store/repositories/plans.ts'
import type { Store, UnitOfWork } from '../../store/store.ts'
import { waitUntil } from '../../store/wait-until.ts'
import { disconnectBrowser } from '../operations/webhooks/disconnect-browsers.ts'
import { recordRedirect, resolveRedirect } from '../operations/webhooks/redirect.ts'

interface Options {
  /** Sends deliveries that a step has started. */
  readonly sendStarted: (due: readonly deliveries.DueDelivery[]) => void
  /** Creates a function that requests pages of the shop, if the egress policy allows their addresses. */
  readonly openFetchApp: () => Promise<HttpFetch>
  /** Returns the absolute URL of an address, which may be a path on the sandbox. */
  readonly addressOf: (address: string) => URL | null
  readonly onError: (error: unknown) => void
}

/** A plan, as it is stored with its outcome. */
type PlanRef = Pick<NotificationPlan, 'id' | 'linkId'>

/** A plan may continue after these events. */
const RESUMES: ReadonlySet<RecordedEvent['type']> = new Set([
  'link.paid',
  'link.cancelled',
  'refund.approved',
])

const PAGE_TIMEOUT_MS = 10_000

/**
 * Carries out the plans of notifications. It learns of a new plan from the event of the outcome, and of earlier plans after a
 * start or a restore. The unit of work that removes a step from its plan also records the step's redirect and starts its
 * webhooks, so after a restart the plan continues with the next step. The dispatcher sends the webhooks. A page of the shop is
 * opened at most once. If the process ends before that, the page is not opened.
 */
export function createPlanRunner(store: Store, { sendStarted, openFetchApp, addressOf, onError }: Options) {
  const running = new Map<number, Promise<void>>()
  const stopping = new AbortController()
  // Removes the limit, because every plan that is underway listens to this signal, and Node would warn.
  setMaxListeners(0, stopping.signal)
  const unsubscribe = store.eventBus.subscribe((recorded) => {
    for (const event of recorded) {
      if (startsEpoch(event)) void untilDone(start)
      if (event.linkId !== null && RESUMES.has(event.type)) resume(event.linkId)
    }
  })

  /** Resumes all plans after a start or a restore. */
  async function start(): Promise<void> {
    for (const plan of await plans.list(store.db)) resume(plan.linkId)
  }

  /** Runs `prepare`, and then resumes the plan of a link if there is one. */
  function resume(linkId: number, prepare?: () => Promise<void>): void {
    const run = (running.get(linkId) ?? Promise.resolve())
      .then(() => prepare && untilDone(prepare))
      .then(() => untilDone(() => takeSteps(linkId)))
      .then(() => {
        if (running.get(linkId) === run) running.delete(linkId)
      })
    running.set(linkId, run)
  }

  /** Repeats an action after each failure of the store, until it succeeds or the sandbox stops. */
  async function untilDone(action: () => Promise<void>): Promise<void> {
    const { signal } = stopping
    let isDone = signal.aborted
    while (!isDone) {
      isDone = await action().then(
        () => true,
        async (error: unknown) => !(await pauseAfterFailure(error, { signal, onError })),
      )
    }
  }

  async function takeSteps(linkId: number): Promise<void> {
    if (!(await plans.isAny(store.db))) return
    while (await canTakeStep(linkId)) {
      const taken = await store.transact((work) => takeStep(work, linkId))
      if (taken === undefined) continue
      sendStarted(taken.due)
      if (taken.page !== null) await openPage(taken.page)
    }
  }

  /** Waits until the webhooks of earlier steps have settled. Resolves with `false` if waiting longer would not help. */
  async function canTakeStep(linkId: number): Promise<boolean> {
    const state = await waitUntil(store, {
      match: (event) =>
        event.linkId === linkId ||
        startsEpoch(event) ||
        clearsAccount(event) ||
        event.type === 'clock.changed',
      async check() {
        const plan = await plans.find(store.db, linkId)
        if (plan === undefined || !isUnderway(plan)) return 'paused'
        return !(await deliveries.hasDueDelivery(store.db, linkId, store.time().now)) && 'ready'
      },
      signal: stopping.signal,
    })
    return state === 'ready' && !stopping.signal.aborted
  }

  async function openPage(address: string): Promise<void> {
    const fetchApp = await openFetchApp()
    const signal = timeoutSignal(PAGE_TIMEOUT_MS, stopping.signal)
    // A failed page does not stop the plan, because tests check the state of the app.
    await fetchApp(addressOf(address)?.href ?? address, { signal }).catch(() => undefined)
  }

  /** Changes a plan if it still exists. A reset or a restored snapshot may have removed it. */
  const changePlan = (
    { id, linkId }: PlanRef,
    change: (work: UnitOfWork, plan: NotificationPlan) => Promise<void>,
  ): Promise<void> =>
    store.transact(async (work) => {
      const plan = await plans.find(work.db, linkId)
      if (plan?.id === id) await change(work, plan)
    })

  return {
    start,

    /** Starts the webhooks that were waiting until the browser has received its response or closed the connection. */
    responseEnded(plan: PlanRef): void {
      resume(plan.linkId, () => changePlan(plan, endWait))
    },

    /** Records that a browser is not redirected, because it was closed while it waited. */
    browserClosed: (plan: PlanRef): Promise<void> => changePlan(plan, disconnectBrowser),

    /** Resolves when the plan of a link is finished, or waits for a response or a refund. Throws if `signal` is aborted. */
    async waitUntilPaused(linkId: number, signal: AbortSignal): Promise<void> {
      for (let run = running.get(linkId); run !== undefined; run = running.get(linkId)) {
        await untilAborted(run, signal)
        signal.throwIfAborted()
      }
    },

    async stop(): Promise<void> {
      unsubscribe()
      stopping.abort()
      await Promise.all(running.values())
    },
  }
}

export type PlanRunner = ReturnType<typeof createPlanRunner>

const endWait = ({ db }: UnitOfWork, plan: NotificationPlan): Promise<void> =>
  plans.save(db, { ...plan, awaitsResponse: false })

interface TakenStep {
  /** The deliveries that the step has started. */
  readonly due: readonly deliveries.DueDelivery[]
  /** The page of the shop that the sandbox has to open. */
  readonly page: string | null
}

/**
 * Removes the next step from a plan and returns it. `undefined` if a reset or a closed browser has changed the plan in the
 * meantime.
 */
async function takeStep(work: UnitOfWork, linkId: number): Promise<TakenStep | undefined> {
  const plan = await plans.find(work.db, linkId)
  if (plan === undefined || !isUnderway(plan)) return undefined
  const [step, ...steps] = plan.steps as [PlanStep, ...PlanStep[]]
  await plans.save(work.db, { ...plan, steps })
  if (step.redirect) await recordRedirect(work, plan.redirect)
  return {
    due: await deliveries.start(work.db, step.webhooks ?? []),
    page: await pageOf(work, plan, step),
  }
}

/** A closed browser opens no page. */
async function pageOf(
  work: UnitOfWork,
  { redirect }: NotificationPlan,
  { page }: PlanStep,
): Promise<string | null> {
  const target = page === undefined ? null : await resolveRedirect(work, redirect)
  if (target === null || target === 'lost') return null
  return page === 'cancel' ? withStatus(target.location, page) : target.location
}
