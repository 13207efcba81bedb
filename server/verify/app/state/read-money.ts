type Kind = 'received' | 'refunded'

/**
 * Reads an amount that an app has received or refunded: a number, a text such as `€ 1,299.00`, an object such as
 * `{ "amount": 5, "currency": "EUR" }`, or a list of movements, which are added up. In a list, payments are positive and refunds
 * negative, or each movement says what it is. If a list has payments and refunds, `isShared` is true. `undefined` if there is no amount.
 */
export function readMoney(
  value: unknown,
  kind: Kind,
  { isShared = false }: { readonly isShared?: boolean } = {},
): number | undefined {
  if (!Array.isArray(value)) {
    const amount = readAmount(value)
    if (amount === undefined) return undefined
    return rounded(kind === 'refunded' ? Math.abs(amount) : Math.max(amount, 0))
  }
  const movements = value.map((entry) => ({ kind: kindOf(entry), amount: readAmount(entry) }))
  const hasPayments = isShared || movements.some((one) => one.kind === 'received' || (one.amount ?? 0) < 0)
  let sum = 0
  for (const { amount, ...movement } of movements) {
    if (amount === undefined) return undefined
    // If a list contains only refunds, they may be positive numbers.
    const bySign = amount < 0 || (kind === 'refunded' && !hasPayments) ? 'refunded' : 'received'
    const isOf = amount < 0 ? bySign : (movement.kind ?? bySign)
    if (isOf === kind) sum += Math.abs(amount)
  }
  return rounded(sum)
}

/** Whether an app has recorded an amount, in euros or in cents. */
export const isRecordOf = (euros: number, recorded: number): boolean =>
  recorded === euros || recorded === Math.round(euros * 100)

/** 0.1 + 0.2 is 0.30000000000000004, and 19.99 * 100 is 1998.9999999999998. */
const rounded = (amount: number): number => Number(amount.toFixed(6))

/** Names of fields that say what a movement is. */
const KIND = /(kind|type|direction|operation|(?<!trans)action|event|category)$/i

/** What kind of movement an entry in a list says that it is, as in `{ "kind": "payment", "amount": 5 }`. */
function kindOf(entry: unknown): Kind | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined
  const said = Object.entries(entry).flatMap(([name, text]) =>
    KIND.test(name) && typeof text === 'string' ? [text] : [],
  )
  if (said.some((text) => /refund|chargeback|reversal|repa(y|id)|paid.?back|payout/i.test(text)))
    return 'refunded'
  return said.some((text) => /payment|paid|charge|capture|sale/i.test(text)) ? 'received' : undefined
}

/** Names of fields that contain the amount of a movement, the best ones first. */
const AMOUNTS = [
  /^amount$/i,
  /^(total|value|sum)$/i,
  /amount|value|sum|total|price|cents|euros?|refunded|received/i,
]

/** Ends of names for something other than an amount, such as `receivedAt` and `refunded_by`. */
const NO_AMOUNT = /(?:[a-z](?:At|On|By|Date|Time|Id|Count)|[-_](?:at|on|by|date|time|id|count))$/

function readAmount(value: unknown): number | undefined {
  if (value === null) return 0
  if (typeof value === 'number') return value
  if (typeof value === 'string') return parseAmount(value)
  if (typeof value !== 'object' || Array.isArray(value)) return undefined
  const fields = Object.entries(value).filter(([name]) => !NO_AMOUNT.test(name))
  return AMOUNTS.flatMap((names) => fields.filter(([name]) => names.test(name)))
    .map(([, amount]) => readAmount(amount))
    .find((amount) => amount !== undefined)
}

const CURRENCY = String.raw`(?:[A-Z]{0,2}\p{Sc}|[A-Z]{3}|euros?|cents?|kr\.?|zł|Kč|Ft)`

/** A longer text is no amount, and matching it would take long. */
const MAX_LENGTH = 40

/** A minus or parentheses around the amount, a currency, and digits with separators. */
const WRITTEN = new RegExp(
  String.raw`^(\()?\s*([-+]?)\s*(${CURRENCY})?\s*([-+]?)\s*(\d[\d.,'\s]*?)\s*([-+]?)\s*(${CURRENCY})?\s*([-+]?)\s*\)?$`,
  'iu',
)

function parseAmount(text: string): number | undefined {
  // In `5,-`, the dash stands for the cents.
  if (text.length > MAX_LENGTH) return undefined
  const usual = text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replace(/[.,][-\u2013\u2014](?!\d)/, '')
    .replaceAll('\u2212', '-')
    .replaceAll('\u2019', "'")
  const [, parenthesis, sign, before, laterSign, written, ...end] = WRITTEN.exec(usual) ?? []
  if (written === undefined) return undefined
  const [signAfter, after, lastSign] = end
  const isNegative = parenthesis !== undefined || [sign, laterSign, signAfter, lastSign].includes('-')
  // If there is a currency, `1.299` was written by people, and the dot separates thousands.
  const hasThousands = (before ?? after) !== undefined && /^[1-9]\d{0,2}\.\d{3}$/.test(written)
  const isPlain = /^\d+(\.\d+)?$/.test(written) && !hasThousands
  // The last separator separates the cents if at most two digits follow it.
  const digits = isPlain
    ? written
    : written
        .replace(/[.,](?=\d{1,2}$)/, '#')
        .replace(/[.,'\s]/g, '')
        .replace('#', '.')
  return isNegative ? -Number(digits) : Number(digits)
}
