/** @jsxImportSource hono/jsx */
import type { Link } from '../domain/link.ts'
import { ownerPayout } from '../domain/link.ts'
import { wording } from '../domain/refusals.ts'
import * as accounts from '../store/accounts.ts'
import type { Work } from '../store/store.ts'
import { CheckoutPage } from './checkout-page.tsx'
import {
  BadFormPage,
  CancelledPage,
  ClosedPage,
  EndedPage,
  SuccessPage,
  UnknownPage,
  WaitingPage,
} from './result-pages.tsx'

/** A page for the customer, with what the journal says of it. */
export interface Shown {
  readonly page: string
  readonly status: 200 | 400 | 404 | 409 | 410
  readonly link: Link | null
  readonly html: string
}

/** Rendered when asked for: the first page that is makes every promise of the process dearer. */
export const unknown = (): Shown => shown('unknown link', 404, null, <UnknownPage />)

export const badForm = (link: Link, reason: string): Shown =>
  shown('bad form', 400, link, <BadFormPage reason={reason} />)

/** The page of a link as it is now. `notice` says what went wrong with the last try. */
export async function ofLink(work: Work, link: Link, notice?: string): Promise<Shown> {
  const status = notice === undefined ? 200 : 409
  const payee = await nameOf(work, link.accountId)
  switch (link.status) {
    case 'unused': {
      const parts = await partsOf(work, link, payee)
      const page = <CheckoutPage link={link} payee={payee} parts={parts} notice={notice} />
      return shown('checkout', status, link, page)
    }
    case 'awaiting-transfer':
      return shown('waiting', status, link, <WaitingPage link={link} payee={payee} />)
    case 'deleted':
      return shown('deleted', 410, link, <EndedPage link={{ ...link, status: 'deleted' }} />)
    case 'paid':
    case 'cancelled':
      return shown(link.status, status, link, <EndedPage link={{ ...link, status: link.status }} />)
  }
}

export async function declined(work: Work, link: Link): Promise<Shown> {
  const page = await ofLink(work, link, wording.cardDeclined)
  return { ...page, page: 'declined', status: 200 }
}

export const closed = (link: Link, location: string): Shown =>
  shown('browser closed', 200, link, <ClosedPage link={link} location={location} />)

/** The default result page, where the link ended that way. */
export async function result(work: Work, link: Link, ending: 'paid' | 'cancelled'): Promise<Shown> {
  if (link.status !== ending) return unknown()
  const payee = await nameOf(work, link.accountId)
  return ending === 'paid'
    ? shown('success', 200, link, <SuccessPage link={link} payee={payee} />)
    : shown('cancelled', 200, link, <CancelledPage link={link} payee={payee} />)
}

function shown(
  page: string,
  status: Shown['status'],
  link: Link | null,
  element: { toString(): string },
): Shown {
  return { page, status, link, html: `<!doctype html>${element.toString()}` }
}

async function nameOf({ db }: Work, accountId: string): Promise<string> {
  return (await accounts.find(db, accountId))?.name ?? 'a shop'
}

async function partsOf(work: Work, link: Link, payee: string) {
  const parts: { name: string; amount: number }[] = []
  for (const { accountId, amount } of link.recipients) {
    parts.push({ name: await nameOf(work, accountId), amount })
  }
  return [...parts, { name: payee, amount: ownerPayout(link) }]
}
