import { findClosestMatch } from '../domain/text/closest-match.ts'
import type { Form } from './read-form.ts'

interface OutcomeShortcut {
  readonly method: 'card' | 'bank-transfer'
  readonly outcome: 'pay' | 'cancel' | 'decline' | 'pay-and-close'
  readonly text: string
}

/** What the address of a checkout may ask for, and the button that it stands for. */
export const outcomes = {
  card: { method: 'card', outcome: 'pay', text: 'pays by card' },
  bank: { method: 'bank-transfer', outcome: 'pay', text: 'announces a bank transfer' },
  cancel: { method: 'card', outcome: 'cancel', text: 'cancels the payment' },
  decline: { method: 'card', outcome: 'decline', text: 'lets the bank decline the card' },
  close: { method: 'card', outcome: 'pay-and-close', text: 'pays by card, then closes the browser' },
} as const satisfies Record<string, OutcomeShortcut>

export const outcomeNames = Object.keys(outcomes) as readonly (keyof typeof outcomes)[]

/** The form that a click would have sent. `undefined` for an outcome that does not exist. */
export function formForOutcome(outcome: string): Form | undefined {
  const name = outcomeNames.find((one) => one === outcome)
  if (name === undefined) return undefined
  const { method, outcome: button } = outcomes[name]
  return { fields: new URLSearchParams({ method, outcome: button }), problem: null }
}

/** The outcome that was probably meant: `bank` for `bank-transfer`, `card` for `crad`. */
export const closestOutcome = (given: string): string | undefined =>
  outcomeNames.find((name) => given.toLowerCase().startsWith(name)) ?? findClosestMatch(given, outcomeNames)
