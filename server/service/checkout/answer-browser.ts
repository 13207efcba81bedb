import { finished } from 'node:stream'
import type { Context } from 'hono'
import type { NotificationPlan } from '../../domain/webhooks/notification-plan.ts'
import type { NodeEnv } from '../../platform/http/node-env.ts'
import * as events from '../../store/journal/events.ts'
import { readAfterCommit } from '../../store/read-after-commit.ts'
import type { Store } from '../../store/store.ts'
import type { PlanRunner } from '../webhooks/plan-runner.ts'
import type { ShopRedirect } from './page-or-redirect.ts'

/**
 * Returns where the browser goes after an outcome. Waits for the notifications that come before its redirect. Notifications that
 * come after the redirect begin when the response is sent, or when its connection is closed.
 */
export async function redirectInSequence(
  store: Store,
  planRunner: PlanRunner,
  c: Context<NodeEnv>,
  plan: NotificationPlan,
  next: ShopRedirect,
): Promise<Pick<ShopRedirect, 'location' | 'status'>> {
  if (plan.awaitsResponse) {
    onceEnded(c, () => planRunner.responseEnded(plan))
    return next
  }
  try {
    await planRunner.waitUntilPaused(plan.linkId, c.req.raw.signal)
  } catch (error) {
    await planRunner.browserClosed(plan)
    throw error
  }
  if (next.otherwise === undefined) return next
  const types = ['redirect.sent', 'redirect.lost'] as const
  const redirects = await readAfterCommit(undefined, () =>
    events.newest(store.db, { linkId: plan.linkId, types }, 1),
  )
  if (redirects === undefined) return next
  const [redirect] = redirects
  // The redirect was removed by a reset or a restored snapshot.
  if (redirect?.type !== 'redirect.sent') return { location: next.otherwise, status: 303 }
  return { location: redirect.location, status: next.status }
}

/** Calls `done` when the response is sent, or when its connection is closed. */
function onceEnded(c: Context<NodeEnv>, done: () => void): void {
  const { outgoing } = c.env
  const { socket } = c.env.incoming
  // With HTTP pipelining, a response that waits for an earlier response is not informed when the connection is closed.
  const stop = finished(outgoing, end)
  socket.once('close', end)
  socket.setMaxListeners(0)
  if (socket.destroyed) end()

  function end(): void {
    stop()
    socket.off('close', end)
    done()
  }
}
