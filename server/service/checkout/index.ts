import { Hono, type Context } from 'hono'
import { linkSubject, noSubject } from '../../domain/links/subject.ts'
import type { Link } from '../../domain/links/link.ts'
import { isUnderway } from '../../domain/webhooks/notification-plan.ts'
import { roundMs } from '../../domain/time/berlin-time.ts'
import type { BaseUrl } from '../../platform/http/base-url.ts'
import type { NodeEnv } from '../../platform/http/node-env.ts'
import { requestTarget } from '../../platform/http/read-request.ts'
import * as plans from '../../store/repositories/plans.ts'
import type { Store, UnitOfWork } from '../../store/store.ts'
import checkoutCss from './checkout.css?raw'
import { redirectInSequence } from './answer-browser.ts'
import { redirectAfterTransfer, executeForm } from './execute-form.ts'
import controlsCss from '../../platform/pages/controls.css?raw'
import { findLinkOfPage, readForm } from './page-request.ts'
import { redirectTo, type PageOrRedirect } from './page-or-redirect.ts'
import { checkoutPathAfter } from './paths.ts'
import { qr } from './qr.ts'
import type { PlanRunner } from '../webhooks/plan-runner.ts'
import * as pages from './pages/pages.tsx'
import type { RenderedPage } from './pages/pages.tsx'
import tokensCss from '../../platform/pages/tokens.css?raw'
import { checkFormOrigin, checkNavigation } from './check-navigation.ts'
import { formForOutcome } from './outcome-parameter.ts'
import waitingJs from './waiting.js?raw'

/**
 * Has no `form-action`, because browsers also apply it to the redirect to the shop. The pages load nothing from other origins,
 * and only the page that waits runs a script.
 */
const CSP = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'"
const WAITING_CSP = `${CSP}; script-src 'self'; connect-src 'self'`

/**
 * The pages of the customer. After each action, the browser is redirected, so that a reload does not repeat the action. The
 * addresses `&declined`, `&waiting` and `/payment/closed` show only outcomes that are in the journal. If an action is not
 * allowed, the page says so at once, with status 409.
 */
export function checkout(store: Store, baseUrl: BaseUrl, planRunner: PlanRunner) {
  const app = new Hono<NodeEnv>()

  app.get('/payment', async (c) => {
    const outcome = c.req.queries('outcome')?.join(', ')
    const hasWaited = c.req.query('waiting') !== undefined
    if (outcome !== undefined || hasWaited) await waitForEarlierSteps(c)
    return respond(c, (work, link) => {
      // A HEAD request never carries out an outcome.
      const isGet = c.req.method === 'GET'
      if (isGet && outcome !== undefined) {
        const form = formForOutcome(outcome)
        if (form === undefined) return pages.unknownOutcome(link, outcome)
        const problem = checkNavigation(c)
        return problem === null ? executeForm(work, link, form) : pages.navigationRejected(link, problem)
      }

      if (link.status === 'awaiting-transfer' && !hasWaited)
        return redirectTo(checkoutPathAfter(link, 'waiting'))
      if (isGet && hasWaited && link.paidBy === 'bank-transfer') return redirectAfterTransfer(work, link)
      if (hasWaited) return pages.afterWaiting(work, link)
      return c.req.query('declined') === undefined
        ? pages.currentState(work, link)
        : pages.afterDecline(work, link)
    })
  })

  app.post('/payment', async (c) => {
    const form = await readForm(c)
    await waitForEarlierSteps(c)
    return respond(c, (work, link) => {
      const problem = checkFormOrigin(c)
      return problem === null ? executeForm(work, link, form) : pages.navigationRejected(link, problem)
    })
  })

  app.get('/payment/style.css', (c) => asset(c, tokensCss + controlsCss + checkoutCss, 'text/css'))
  app.get('/payment/waiting.js', (c) => asset(c, waitingJs, 'text/javascript'))
  // Not recorded in the journal, because the waiting page requests it every second.
  app.get('/payment/status', async (c) => {
    const link = await findLinkOfPage(store, c.req.query('link_id'))
    const plan = link && (await plans.find(store.db, link.id))
    const isWaiting = link?.status === 'awaiting-transfer' || (plan !== undefined && isUnderway(plan))
    return c.json({ waiting: isWaiting }, 200, { 'cache-control': 'no-store' })
  })
  app.get('/payment/success', (c) => showResult(c, 'success'))
  app.get('/payment/cancelled', (c) => showResult(c, 'cancelled'))
  app.get('/payment/closed', (c) => showResult(c, 'closed'))
  app.route('/qr', qr(store, baseUrl))

  /**
   * If the plan of this link puts webhooks before the redirect, waits until they are sent, so that the page does not send the
   * browser to the shop first.
   */
  async function waitForEarlierSteps(c: Context<NodeEnv>): Promise<void> {
    const link = await findLinkOfPage(store, c.req.query('link_id'))
    if (link) await planRunner.waitUntilPaused(link.id, c.req.raw.signal)
  }

  /** Carries out an action on the link, and responds with a page or a redirect. Records the page in the same unit of work. */
  async function respond(
    c: Context<NodeEnv>,
    act: (work: UnitOfWork, link: Link) => PageOrRedirect | Promise<PageOrRedirect>,
  ): Promise<Response> {
    const startedMs = performance.now()
    const next = await store.transact(async (work) => {
      const linkId = c.req.query('link_id')
      const link = await findLinkOfPage(work, linkId)
      const result = link ? await act(work, link) : pages.unknownLink(linkId)
      if (!('location' in result)) await recordPage(work, c, result, startedMs)
      return result
    })
    if ('location' in next) {
      if (next.assumed.length > 0) c.header('sandbox-assumed', next.assumed.join(', '))
      c.header('cache-control', 'no-store')
      const { plan } = next
      const { location, status } =
        plan === null ? next : await redirectInSequence(store, planRunner, c, plan, next)
      return c.redirect(location, status)
    }
    return c.html(next.html, next.status, {
      'content-security-policy': next.page === 'waiting' ? WAITING_CSP : CSP,
      // `checkFormOrigin` recognizes forms of these pages by their `Referer`.
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    })
  }

  const showResult = (c: Context<NodeEnv>, page: 'success' | 'cancelled' | 'closed') =>
    respond(c, (work, link) => pages.result(work, link, page))

  return app
}

const asset = (c: Context, text: string, type: 'text/css' | 'text/javascript'): Response =>
  c.body(text, 200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' })

async function recordPage(
  work: UnitOfWork,
  c: Context,
  { page, status, link }: RenderedPage,
  startedMs: number,
): Promise<void> {
  await work.record({
    type: 'checkout.viewed',
    ...(link ? linkSubject(link) : noSubject),
    page,
    method: c.req.method,
    path: requestTarget(c).target,
    status,
    ms: roundMs(performance.now() - startedMs),
  })
}
