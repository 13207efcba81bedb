/**
 * Reads an amount that an app has received or refunded: a number, a text such as `€ 1,299.00`, an object such as
 * `{ "amount": 5, "currency": "EUR" }`, or a list of movements, which are added up. In a list, payments are positive and refunds
 * negative. `undefined` if there is no amount.
 */
export function readMoney(value: unknown, kind: 'received' | 'refunded'): number | undefined {
  const entries = Array.isArray(value)
    ? value.filter((entry) => kind === 'received' || !isPayment(entry))
    : [value]
  const movements = entries.map(readAmount)
  if (!movements.every((movement) => movement !== undefined)) return undefined
  const own = movements.filter((movement) => (kind === 'refunded' ? movement < 0 : movement > 0))
  // A list that contains only refunds may have them as positive numbers.
  const amounts = own.length > 0 ? own : kind === 'refunded' ? movements : []
  const cents = amounts.reduce((sum, amount) => sum + Math.round(Math.abs(amount) * 100), 0)
  return cents / 100
}

/** Whether a movement in a list says that it is a payment, such as `{ "kind": "payment", "amount": 5 }`. */
const isPayment = (entry: unknown): boolean =>
  typeof entry === 'object' &&
  entry !== null &&
  Object.values(entry).some(
    (text) => typeof text === 'string' && /^(payment|paid|charge|capture|sale)/i.test(text),
  )

/** Names of fields that have the amount of a movement. */
const AMOUNT = /amount|value|sum|total|cents|euros?|refunded|received/i

function readAmount(value: unknown): number | undefined {
  if (value === null) return 0
  if (typeof value === 'number') return value
  if (typeof value === 'string') return parseAmount(value)
  if (typeof value !== 'object' || Array.isArray(value)) return undefined
  const [, amount] = Object.entries(value).find(([name]) => AMOUNT.test(name)) ?? []
  return amount === undefined ? undefined : readAmount(amount)
}

/** A minus or parentheses around the amount, a currency, and digits with separators. */
const WRITTEN =
  /^(\()?\s*([-\u2212+]?)\s*(?:[A-Z]{3}|\p{Sc})?\s*([-\u2212+]?)\s*(\d[\d.,'\s]*?)\s*(?:[A-Z]{3}|\p{Sc})?\s*\)?$/iu

function parseAmount(text: string): number | undefined {
  const [, parenthesis, ...parts] = WRITTEN.exec(text.trim()) ?? []
  const [sign, laterSign, written] = parts
  if (written === undefined) return undefined
  const isNegative = parenthesis !== undefined || /[-\u2212]/.test(`${sign}${laterSign}`)
  const isPlain = /^\d+(\.\d+)?$/.test(written)
  // The last separator is that of the cents if at most two digits follow.
  const digits = isPlain
    ? written
    : written
        .replace(/[.,](?=\d{1,2}$)/, '#')
        .replace(/[.,'\s]/g, '')
        .replace('#', '.')
  return isNegative ? -Number(digits) : Number(digits)
}
