/** @jsxImportSource hono/jsx */
import type { EventType, RecordedEvent } from '../../domain/events/event.ts'
import type { Link } from '../../domain/links/link.ts'
import * as events from '../../store/journal/events.ts'
import type { UnitOfWork } from '../../store/store.ts'
import { behind, nameOf } from '../developer-info.ts'
import { CheckoutPage } from './checkout-page.tsx'
import { EndedPage } from './ended-page.tsx'
import { BadFormPage, OnlyLookedAtPage, UnknownOutcomePage, UnknownPage } from './error-pages.tsx'
import { resultPath } from '../paths.ts'
import { CancelledPage, ClosedPage, NotSoPage, SuccessPage } from './result-pages.tsx'
import { WaitingPage } from './waiting-page.tsx'

/** A page for the customer, with what the journal says of it. */
export interface Shown {
  readonly page: string
  readonly status: 200 | 400 | 403 | 404 | 409 | 410
  readonly link: Link | null
  readonly html: string
}

/** Rendered when asked for: the first page that is makes every promise of the process dearer. */
export const unknown = (linkId: string | undefined): Shown =>
  shown('unknown link', 404, null, <UnknownPage linkId={linkId} />)

export const badForm = (link: Link, fields: URLSearchParams, reason: string): Shown =>
  shown('bad form', 400, link, <BadFormPage link={link} fields={fields} reason={reason} />)

export const unknownOutcome = (link: Link, outcome: string): Shown =>
  shown('unknown outcome', 400, link, <UnknownOutcomePage link={link} outcome={outcome} />)

export const onlyLookedAt = (link: Link, objection: string): Shown =>
  shown('not opened', 403, link, <OnlyLookedAtPage link={link} objection={objection} />)

interface Circumstances {
  /** What became of the last try. */
  readonly last?: 'declined' | 'transfer rejected' | undefined
  /** Why what was asked for is not done. */
  readonly objection?: string
}

/** The page of a link as it is now. */
export async function ofLink(
  work: UnitOfWork,
  link: Link,
  { last, objection }: Circumstances = {},
): Promise<Shown> {
  const isRefusal = objection !== undefined
  const status = isRefusal ? 409 : 200
  switch (link.status) {
    case 'unused': {
      const payee = await nameOf(work, link.accountId)
      const props = { link, payee, behind: await behind(work, link, payee), last, objection }
      return shown(last ?? 'checkout', status, link, <CheckoutPage {...props} />)
    }
    case 'awaiting-transfer': {
      const payee = await nameOf(work, link.accountId)
      return shown('waiting', status, link, <WaitingPage link={link} payee={payee} isRefusal={isRefusal} />)
    }
    case 'paid':
    case 'cancelled':
    case 'deleted': {
      const page = (
        <EndedPage
          link={{ ...link, status: link.status }}
          tooLate={isRefusal ? { shop: await shopOf(work, link) } : undefined}
        />
      )
      return shown(link.status, link.status === 'deleted' ? 410 : status, link, page)
    }
  }
}

/** The link as it is now, for somebody who wanted what it does not allow. */
export const refused = (work: UnitOfWork, link: Link, objection: string): Promise<Shown> =>
  ofLink(work, link, { objection })

/** The link as it is after a bank declined the card. */
export async function afterDecline(work: UnitOfWork, link: Link): Promise<Shown> {
  return ofLink(work, link, { last: (await lastOf(work, link, 'link.declined')) && 'declined' })
}

/** The link as it is after the wait for a bank transfer, if it is over. */
export async function afterWaiting(work: UnitOfWork, link: Link): Promise<Shown> {
  return ofLink(work, link, {
    last: (await lastOf(work, link, 'bank_transfer.rejected')) && 'transfer rejected',
  })
}

/** The page of an outcome, where the link had it. */
export async function result(
  work: UnitOfWork,
  link: Link,
  page: 'success' | 'cancelled' | 'closed',
): Promise<Shown> {
  const payee = await nameOf(work, link.accountId)
  if (page === 'success' && link.status === 'paid') {
    return shown('success', 200, link, <SuccessPage link={link} payee={payee} />)
  }
  if (page === 'cancelled' && link.status === 'cancelled') {
    return shown('cancelled', 200, link, <CancelledPage link={link} payee={payee} />)
  }
  if (page === 'closed' && link.status === 'paid') {
    const redirect = await lastOf(work, link, 'redirect.sent', 'redirect.lost')
    if (redirect?.type !== 'redirect.sent') {
      const lost = redirect?.type === 'redirect.lost' ? redirect : null
      return shown('browser closed', 200, link, <ClosedPage link={link} redirect={lost} />)
    }
  }
  return shown('another ending', 404, link, <NotSoPage link={link} />)
}

/** Where the browser was sent after the outcome: a second click in the same moment leads there too. */
async function shopOf(work: UnitOfWork, link: Link): Promise<string | null> {
  if (link.status === 'deleted') return null
  if (link.callbackUrl === '') return resultPath(link, link.status === 'paid' ? 'success' : 'cancelled')
  const redirect = await lastOf(work, link, 'redirect.sent', 'redirect.lost')
  return redirect?.type === 'redirect.sent' ? redirect.location : null
}

async function lastOf(
  work: UnitOfWork,
  { id }: Link,
  ...types: EventType[]
): Promise<RecordedEvent | undefined> {
  const [event] = await events.newest(work.db, { linkId: id, types }, 1)
  return event
}

function shown(
  page: string,
  status: Shown['status'],
  link: Link | null,
  element: { toString(): string },
): Shown {
  return { page, status, link, html: `<!doctype html>${element.toString()}` }
}
