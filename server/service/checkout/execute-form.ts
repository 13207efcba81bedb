import { didYouMeanSentence } from '../../domain/text/closest-match.ts'
import { paymentMethods, type Link } from '../../domain/links/link.ts'
import { ApiError } from '../../domain/api/api-error.ts'
import { activeBehaviors } from '../operations/accounts/caller.ts'
import { cancelLink } from '../operations/links/cancel-link.ts'
import { declineLink } from '../operations/links/decline-link.ts'
import { planRedirect, recordRedirect } from '../operations/webhooks/redirect.ts'
import { payLink } from '../operations/links/pay-link.ts'
import type { UnitOfWork } from '../../store/store.ts'
import { redirectToShop, redirectTo, type PageOrRedirect } from './page-or-redirect.ts'
import { checkoutPathAfter } from './paths.ts'
import type { Form } from './page-request.ts'
import * as pages from './pages/pages.tsx'

const OUTCOMES = ['pay', 'cancel', 'decline', 'pay-and-close'] as const

/** Carries out the action of a form. An API error rolls the action back, and the page then shows the link with the error. */
export async function executeForm(
  work: UnitOfWork,
  link: Link,
  { fields, problem }: Form,
): Promise<PageOrRedirect> {
  const method = findName(paymentMethods, fields.get('method') ?? 'card')
  const outcome = findName(OUTCOMES, fields.get('outcome'))
  if (problem !== null) return pages.badForm(link, fields, problem)
  if (method === undefined)
    return pages.badForm(link, fields, describeWrongField('method', paymentMethods, fields))
  if (outcome === undefined)
    return pages.badForm(link, fields, describeWrongField('outcome', OUTCOMES, fields))

  try {
    return await applyOutcome(work, link, outcome, method)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await work.rollback()
    return pages.rejected(work, link, error.message)
  }
}

async function applyOutcome(
  work: UnitOfWork,
  link: Link,
  outcome: (typeof OUTCOMES)[number],
  method: (typeof paymentMethods)[number],
): Promise<PageOrRedirect> {
  switch (outcome) {
    case 'pay': {
      const paid = await payLink(work, link, { method, browser: 'returns', entryPoint: 'checkout' })
      return paid.link.status === 'paid'
        ? redirectToShop(paid, 'success')
        : redirectTo(checkoutPathAfter(link, 'waiting'))
    }
    case 'pay-and-close': {
      const paid = await payLink(work, link, { method: 'card', browser: 'closes', entryPoint: 'checkout' })
      return redirectToShop({ ...paid, redirect: 'lost' }, 'success')
    }
    case 'cancel':
      return redirectToShop(await cancelLink(work, link, 'returns', 'checkout'), 'cancelled')
    case 'decline':
      await declineLink(work, link, 'checkout')
      return redirectTo(checkoutPathAfter(link, 'declined'))
  }
}

/** Redirects a browser that has been waiting for a bank transfer to the shop. */
export async function redirectAfterTransfer(work: UnitOfWork, link: Link): Promise<PageOrRedirect> {
  const behaviors = await activeBehaviors(work, link.accountId)
  behaviors.markAssumptions('transferRedirect')
  const planned = await planRedirect(work, link, 'Success', 'returns', behaviors)
  const redirect = await recordRedirect(work, planned)
  return redirectToShop({ link, redirect, plan: null, assumed: behaviors.used }, 'success')
}

const findName = <Name extends string>(names: readonly Name[], value: string | null): Name | undefined =>
  names.find((name) => name === value)

function describeWrongField(field: string, names: readonly string[], fields: URLSearchParams): string {
  const value = fields.get(field)
  if (value === null) return `The field ${field} is missing. It should be one of ${names.join(', ')}.`
  return `The field ${field} should be one of ${names.join(', ')}.${didYouMeanSentence(value, names)}`
}
