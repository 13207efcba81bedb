import type { Cents } from '../../../domain/money/cents.ts'

interface Wrong {
  readonly text: string
  readonly of: (amount: Cents) => Cents
}

/** Amounts that are too low or too high. None is the amount of a different order of the check, such as 42.50. */
export const wrongAmounts = {
  forged: { text: 'a wrong amount', of: (amount) => (amount === 1 ? 2 : 1) },
  'cent-less': { text: 'an amount that is one cent too low', of: (amount) => amount - 1 },
  'cent-more': { text: 'an amount that is one cent too high', of: (amount) => amount + 1 },
  'rounded-down': {
    text: 'an amount that is rounded down to whole euros',
    of: (amount) => (amount % 100 === 0 ? amount - 100 : amount - (amount % 100)),
  },
  'rounded-up': {
    text: 'an amount that is rounded up to whole euros',
    of: (amount) => amount + 100 - (amount % 100),
  },
  'percent-less': {
    text: 'an amount that is one percent too low',
    of: (amount) => amount - Math.max(2, Math.floor(amount / 110)),
  },
  'first-half': { text: 'half the amount', of: (amount) => Math.floor(amount / 2) },
  'second-half': { text: 'half the amount', of: (amount) => Math.ceil(amount / 2) },
  double: { text: 'twice the amount', of: (amount) => amount * 2 },
  'in-cents': { text: 'the amount in cents', of: (amount) => amount * 100 },
  zero: { text: 'the amount 0', of: () => 0 },
  negative: { text: 'a negative amount', of: (amount) => -amount },
} as const satisfies Readonly<Record<string, Wrong>>

export type WrongAmount = keyof typeof wrongAmounts

export const isWrongAmount = (amount: string): amount is WrongAmount => Object.hasOwn(wrongAmounts, amount)
