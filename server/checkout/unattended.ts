import type { Context } from 'hono'
import { nearest } from '../domain/nearest.ts'
import type { Form } from './read-form.ts'

interface Unattended {
  readonly method: 'card' | 'bank-transfer'
  readonly outcome: 'pay' | 'cancel' | 'decline' | 'pay-and-close'
  readonly text: string
}

/** What the address of a checkout may ask for, and the button that it stands for. */
export const unattended = {
  card: { method: 'card', outcome: 'pay', text: 'pays by card' },
  bank: { method: 'bank-transfer', outcome: 'pay', text: 'announces a bank transfer' },
  cancel: { method: 'card', outcome: 'cancel', text: 'cancels the payment' },
  decline: { method: 'card', outcome: 'decline', text: 'lets the bank decline the card' },
  close: { method: 'card', outcome: 'pay-and-close', text: 'pays by card, then closes the browser' },
} as const satisfies Record<string, Unattended>

export const unattendedNames = Object.keys(unattended) as readonly (keyof typeof unattended)[]

/** The form that a click would have sent. `undefined` for an outcome that does not exist. */
export function formFor(outcome: string): Form | undefined {
  const name = unattendedNames.find((one) => one === outcome)
  if (name === undefined) return undefined
  const { method, outcome: button } = unattended[name]
  return { fields: new URLSearchParams({ method, outcome: button }), objection: null }
}

/** The outcome that was probably meant: `bank` for `bank-transfer`, `card` for `crad`. */
export const nearestOutcome = (given: string): string | undefined =>
  unattendedNames.find((name) => given.toLowerCase().startsWith(name)) ?? nearest(given, unattendedNames)

/**
 * Why a request does not count as opening the page, or `null` where it does.
 *
 * An address that pays is to be opened on purpose. Browsers say when they only fetch ahead, and when an
 * image, a frame or a script asks. Who says neither is a client that was told to ask for it.
 */
export function notOpened(c: Context): string | null {
  const purpose = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => c.req.header(name)).join(' ')
  if (/prefetch|prerender|preview/i.test(purpose)) return 'It was fetched ahead of time.'
  const destination = c.req.header('sec-fetch-dest') ?? 'document'
  return destination === 'document' ? null : `It was asked for with Sec-Fetch-Dest: ${destination}.`
}
