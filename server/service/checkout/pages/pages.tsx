/** @jsxImportSource hono/jsx */
import type { EventType, RecordedEvent } from '../../../domain/events/event.ts'
import type { Link } from '../../../domain/links/link.ts'
import * as events from '../../../store/journal/events.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import { readDeveloperInfo, ownerName } from '../developer-info.ts'
import { CheckoutPage } from './checkout-page.tsx'
import { EndedPage } from './ended-page.tsx'
import { BadFormPage, NavigationRejectedPage, UnknownOutcomePage, UnknownLinkPage } from './error-pages.tsx'
import { resultPath } from '../paths.ts'
import { CancelledPage, ClosedPage, OtherOutcomePage, SuccessPage } from './result-pages.tsx'
import { WaitingPage } from './waiting-page.tsx'

/** A page for the customer, and what the journal records about it. */
export interface RenderedPage {
  readonly page: string
  readonly status: 200 | 400 | 403 | 404 | 409 | 410
  readonly link: Link | null
  readonly html: string
}

/** Loaded on demand, because rendering the first page makes every later promise of the process slower. */
export const unknownLink = (linkId: string | undefined): RenderedPage =>
  render('unknown link', 404, null, <UnknownLinkPage linkId={linkId} />)

export const badForm = (link: Link, fields: URLSearchParams, problem: string): RenderedPage =>
  render('bad form', 400, link, <BadFormPage link={link} fields={fields} problem={problem} />)

export const unknownOutcome = (link: Link, outcome: string): RenderedPage =>
  render('unknown outcome', 400, link, <UnknownOutcomePage link={link} outcome={outcome} />)

export const navigationRejected = (link: Link, problem: string): RenderedPage =>
  render('navigation rejected', 403, link, <NavigationRejectedPage link={link} problem={problem} />)

interface PageContext {
  /** The result of the last attempt to pay. */
  readonly lastAttempt?: 'declined' | 'transfer rejected' | undefined
  /** Why the action was not carried out. */
  readonly problem?: string
}

/** Renders the page of a link in its current state. */
export async function currentState(
  work: UnitOfWork,
  link: Link,
  { lastAttempt, problem }: PageContext = {},
): Promise<RenderedPage> {
  const isRejected = problem !== undefined
  const status = isRejected ? 409 : 200
  switch (link.status) {
    case 'unused': {
      const payee = await ownerName(work, link.accountId)
      const props = {
        link,
        payee,
        developerInfo: await readDeveloperInfo(work, link, payee),
        lastAttempt,
        problem,
      }
      return render(lastAttempt ?? 'checkout', status, link, <CheckoutPage {...props} />)
    }
    case 'awaiting-transfer': {
      const payee = await ownerName(work, link.accountId)
      return render(
        'waiting',
        status,
        link,
        <WaitingPage link={link} payee={payee} isRejected={isRejected} />,
      )
    }
    case 'paid':
    case 'cancelled':
    case 'deleted': {
      const page = (
        <EndedPage
          link={{ ...link, status: link.status }}
          tooLate={isRejected ? { shop: await shopAddress(work, link) } : undefined}
        />
      )
      return render(link.status, link.status === 'deleted' ? 410 : status, link, page)
    }
  }
}

/** Renders the current state of a link after an action that is not allowed. */
export const rejected = (work: UnitOfWork, link: Link, problem: string): Promise<RenderedPage> =>
  currentState(work, link, { problem })

/** The page of a link whose card was declined. Mentions this only if the journal contains it. */
export async function afterDecline(work: UnitOfWork, link: Link): Promise<RenderedPage> {
  return currentState(work, link, {
    lastAttempt: (await newestEvent(work, link, 'link.declined')) && 'declined',
  })
}

/** The page of a link whose bank transfer was approved or rejected. */
export async function afterWaiting(work: UnitOfWork, link: Link): Promise<RenderedPage> {
  return currentState(work, link, {
    lastAttempt: (await newestEvent(work, link, 'bank_transfer.rejected')) && 'transfer rejected',
  })
}

/** The page of an outcome. If the link has a different outcome, the page says so. */
export async function result(
  work: UnitOfWork,
  link: Link,
  page: 'success' | 'cancelled' | 'closed',
): Promise<RenderedPage> {
  const payee = await ownerName(work, link.accountId)
  if (page === 'success' && link.status === 'paid') {
    return render('success', 200, link, <SuccessPage link={link} payee={payee} />)
  }
  if (page === 'cancelled' && link.status === 'cancelled') {
    return render('cancelled', 200, link, <CancelledPage link={link} payee={payee} />)
  }
  if (page === 'closed' && link.status === 'paid') {
    const redirect = await newestEvent(work, link, 'redirect.sent', 'redirect.lost')
    if (redirect?.type !== 'redirect.sent') {
      const lost = redirect?.type === 'redirect.lost' ? redirect : null
      return render('browser closed', 200, link, <ClosedPage link={link} redirect={lost} />)
    }
  }
  return render('different outcome', 404, link, <OtherOutcomePage link={link} />)
}

/** Where the browser was sent after the outcome, so that a second click leads to the same place. */
async function shopAddress(work: UnitOfWork, link: Link): Promise<string | null> {
  if (link.status === 'deleted') return null
  if (link.callbackUrl === '') return resultPath(link, link.status === 'paid' ? 'success' : 'cancelled')
  const redirect = await newestEvent(work, link, 'redirect.sent', 'redirect.lost')
  return redirect?.type === 'redirect.sent' ? redirect.location : null
}

async function newestEvent(
  work: UnitOfWork,
  { id }: Link,
  ...types: EventType[]
): Promise<RecordedEvent | undefined> {
  const [event] = await events.newest(work.db, { linkId: id, types }, 1)
  return event
}

function render(
  page: string,
  status: RenderedPage['status'],
  link: Link | null,
  element: { toString(): string },
): RenderedPage {
  return { page, status, link, html: `<!doctype html>${element.toString()}` }
}
