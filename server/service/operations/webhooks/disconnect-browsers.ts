import { isForBrowser, type NotificationPlan } from '../../../domain/webhooks/notification-plan.ts'
import * as plans from '../../../store/repositories/plans.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import { recordRedirect } from './redirect.ts'

/**
 * After a start or a restore, continues every plan without the customer's browser. The waiting page of a bank transfer is not
 * affected, because it polls, and gets its own redirect.
 */
export async function disconnectBrowsers(work: UnitOfWork): Promise<void> {
  for (const plan of await plans.list(work.db)) await disconnectBrowser(work, plan)
}

/** Records that the browser is closed and gets no redirect. Starts the webhooks that wait for the redirect. */
export async function disconnectBrowser(work: UnitOfWork, plan: NotificationPlan): Promise<void> {
  const { redirect } = plan
  const steps = redirect === null ? plan.steps : plan.steps.filter((step) => !isForBrowser(step))
  await plans.save(work.db, { ...plan, steps, awaitsResponse: false })
  if (steps.length < plan.steps.length) await recordRedirect(work, redirect && { ...redirect, isLost: true })
}
