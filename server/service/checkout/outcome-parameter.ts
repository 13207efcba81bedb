import type { PaymentMethod } from '../../domain/links/link.ts'
import { findClosestMatch } from '../../domain/text/closest-match.ts'
import type { Form } from './page-request.ts'

interface OutcomeShortcut {
  readonly method: PaymentMethod
  readonly outcome: 'pay' | 'cancel' | 'decline' | 'pay-and-close'
  readonly text: string
}

/** For each value of `outcome` in the address of a checkout, the button with the same effect. */
export const outcomes = {
  card: { method: 'card', outcome: 'pay', text: 'pays by card' },
  bank: { method: 'bank-transfer', outcome: 'pay', text: 'starts a bank transfer' },
  cancel: { method: 'card', outcome: 'cancel', text: 'cancels the payment' },
  decline: { method: 'card', outcome: 'decline', text: 'declines the card' },
  close: { method: 'card', outcome: 'pay-and-close', text: 'pays by card, then closes the browser' },
} as const satisfies Record<string, OutcomeShortcut>

export const outcomeNames = Object.keys(outcomes) as readonly (keyof typeof outcomes)[]

/** Returns the form that a click on the button would send. `undefined` for an unknown outcome. */
export function formForOutcome(outcome: string): Form | undefined {
  const name = outcomeNames.find((one) => one === outcome)
  if (name === undefined) return undefined
  const { method, outcome: button } = outcomes[name]
  return { fields: new URLSearchParams({ method, outcome: button }), problem: null }
}

/** Returns the most similar outcome: `bank` for `bank-transfer`, `card` for `crad`. */
export const closestOutcome = (outcomeName: string): string | undefined =>
  outcomeNames.find((name) => outcomeName.toLowerCase().startsWith(name)) ??
  findClosestMatch(outcomeName, outcomeNames)
