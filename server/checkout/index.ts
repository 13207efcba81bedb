import { Hono, type Context } from 'hono'
import { toBuffer } from 'qrcode'
import { aboutLink, aboutNothing } from '../domain/events.ts'
import { linkQuery, payIdOf } from '../domain/link-id.ts'
import { payLinkUrl, type Link } from '../domain/link.ts'
import { Refusal } from '../domain/refusals.ts'
import { roundMs } from '../domain/time.ts'
import type { BaseUrl } from '../http/base-url.ts'
import type { NodeEnv } from '../http/env.ts'
import { readBytes } from '../http/read-bytes.ts'
import { requestTarget } from '../http/request-target.ts'
import { inForceFor } from '../operations/caller.ts'
import { cancelLink } from '../operations/cancel-link.ts'
import { declineLink } from '../operations/decline-link.ts'
import { redirectBrowser, type Consequence } from '../operations/outcome.ts'
import { payLink } from '../operations/pay-link.ts'
import * as links from '../store/links.ts'
import type { Store, Work } from '../store/store.ts'
import checkoutCss from './checkout.css?raw'
import * as pages from './shown.tsx'
import type { Shown } from './shown.tsx'
import waitingJs from './waiting.js?raw'
import tokensCss from './tokens.css?raw'

const FORM_LIMIT = 16 * 1024
const QR_PIXELS = 300

/**
 * No `form-action`: browsers hold it against redirects too, and the way back to the shop is one. Nothing
 * on these pages comes from elsewhere, and but for the one that waits no script runs.
 */
const CSP = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'"
const WAITING_CSP = `${CSP}; script-src 'self'; connect-src 'self'`

type Next = Shown | { readonly goTo: string; readonly status: 302 | 303; readonly assumed: readonly string[] }

/** The pages a customer walks through. */
export function checkout(store: Store, baseUrl: BaseUrl) {
  const app = new Hono<NodeEnv>()

  app.get('/payment', (c) =>
    respond(c, async (work) => {
      const link = await linkOf(work, c.req.query('link_id'))
      if (!link) return pages.unknown()
      const isBack = c.req.method === 'GET' && c.req.query('waiting') !== undefined
      return isBack && link.paidBy === 'bank-transfer' ? backToShop(work, link) : pages.ofLink(work, link)
    }),
  )

  app.post('/payment', async (c) => {
    const form = await readForm(c)
    return respond(c, async (work) => {
      const link = await linkOf(work, c.req.query('link_id'))
      if (!link) return pages.unknown()
      try {
        return await carryOut(work, link, form)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        await work.undo()
        return pages.ofLink(work, link, error.message)
      }
    })
  })

  app.get('/payment/style.css', (c) =>
    c.body(tokensCss + checkoutCss, 200, {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'no-cache',
    }),
  )
  app.get('/payment/waiting.js', (c) =>
    c.body(waitingJs, 200, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
    }),
  )
  // Asked every second, so it is left out of the journal.
  app.get('/payment/status', async (c) => {
    const link = await linkOf(store, c.req.query('link_id'))
    return c.json({ waiting: link?.status === 'awaiting-transfer' }, 200, { 'cache-control': 'no-store' })
  })
  app.get('/payment/success', (c) => showResult(c, 'paid'))
  app.get('/payment/cancelled', (c) => showResult(c, 'cancelled'))

  app.get('/qr/:file', async (c) => {
    const linkId = /^(.+)\.png$/.exec(c.req.param('file'))?.[1]
    const link = await linkOf(store, linkId)
    if (!link) return c.text('There is no payment link with this QR code.\n', 404)

    const png = await toBuffer(payLinkUrl(link.payId, baseUrl(c)), { width: QR_PIXELS })
    return c.body(new Uint8Array(png), 200, { 'content-type': 'image/png' })
  })

  /** Does what the customer asked for and shows what comes next, in one piece with its record. */
  async function respond(c: Context<NodeEnv>, act: (work: Work) => Promise<Next>): Promise<Response> {
    const started = performance.now()
    const next = await store.transact(async (work) => {
      const decided = await act(work)
      if (!('goTo' in decided)) await recordPage(work, c, decided, started)
      return decided
    })
    if ('goTo' in next) {
      if (next.assumed.length > 0) c.header('sandbox-assumed', next.assumed.join(', '))
      return c.redirect(next.goTo, next.status)
    }
    return c.html(next.html, next.status, {
      'content-security-policy': next.page === 'waiting' ? WAITING_CSP : CSP,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
  }

  const showResult = (c: Context<NodeEnv>, ending: 'paid' | 'cancelled') =>
    respond(c, async (work) => {
      const link = await linkOf(work, c.req.query('link_id'))
      return link ? pages.result(work, link, ending) : pages.unknown()
    })

  return app
}

/** What a browser sends without scripts. Anything else is no form, and must not be taken for a click. */
async function readForm(c: Context<NodeEnv>): Promise<URLSearchParams> {
  const { bytes, tooLarge } = await readBytes(c, FORM_LIMIT)
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(c.req.header('content-type') ?? '')
  return new URLSearchParams(isForm && !tooLarge ? new TextDecoder().decode(bytes) : '')
}

async function linkOf({ db }: Pick<Work, 'db'>, linkId: string | undefined): Promise<Link | undefined> {
  const payId = linkId === undefined ? undefined : payIdOf(linkId)
  return payId === undefined ? undefined : links.withPayId(db, payId)
}

async function carryOut(work: Work, link: Link, form: URLSearchParams): Promise<Next> {
  const method = form.get('method') ?? 'card'
  if (method !== 'card' && method !== 'bank-transfer') {
    return pages.badForm(link, 'The field method should be card or bank-transfer.')
  }
  switch (form.get('outcome')) {
    case 'pay': {
      const paid = await payLink(work, link, { method, browser: 'returns', door: 'checkout' })
      return paid.link.status === 'paid' ? followUp(paid, 'success') : waitingPage(link)
    }
    case 'pay-and-close': {
      const paid = await payLink(work, link, { method: 'card', browser: 'closes', door: 'checkout' })
      return pages.closed(paid.link, paid.lost?.location ?? '')
    }
    case 'cancel':
      return followUp(await cancelLink(work, link, 'returns', 'checkout'), 'cancelled')
    case 'decline':
      await declineLink(work, link, 'checkout')
      return pages.declined(work, link)
    default:
      return pages.badForm(
        link,
        'The field outcome should be pay, cancel, decline or pay-and-close, in a urlencoded form.',
      )
  }
}

/** The browser that waited for a bank transfer goes back to the shop. */
async function backToShop(work: Work, link: Link): Promise<Next> {
  const inForce = await inForceFor(work, link.accountId)
  const sent = await redirectBrowser(work, link, 'Success', 'returns', inForce)
  return followUp({ ...sent, link, assumed: inForce.relied }, 'success')
}

/** To the shop where it said where, else to the default page. */
const followUp = (
  { link, redirect, assumed }: Pick<Consequence, 'link' | 'redirect' | 'assumed'>,
  page: 'success' | 'cancelled',
): Next =>
  redirect
    ? { goTo: redirect.location, status: 302, assumed }
    : { goTo: `/payment/${page}?${linkQuery(link.payId)}`, status: 303, assumed }

const waitingPage = (link: Link): Next => ({
  goTo: `${payLinkUrl(link.payId, '')}&waiting`,
  status: 303,
  assumed: [],
})

const recordPage = (work: Work, c: Context, { page, status, link }: Shown, started: number): Promise<void> =>
  work.record({
    type: 'page.shown',
    ...(link ? aboutLink(link) : aboutNothing),
    page,
    method: c.req.method,
    path: requestTarget(c).target,
    status,
    ms: roundMs(performance.now() - started),
  })
