import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { fromEuros } from '../../../domain/money/cents.ts'
import {
  encodeWebhookForm,
  encodeWebhookJson,
  webhookEntries,
  type WebhookContent,
  type WebhookEntry,
} from '../../../domain/webhooks/webhook.ts'
import type { WebhookVariant } from './webhook-variant.ts'
import { isWrongAmount, wrongAmounts } from './wrong-amounts.ts'

/** The body of a webhook and how it is posted. */
export interface WrittenWebhook {
  readonly contentType: string
  readonly body: string
  readonly slowMs: number
}

export interface CaseWebhook extends WrittenWebhook {
  /** The name of the case, for the journal. */
  readonly check: string
  /** `count` webhooks with this id are completed at the same moment, in the sequence of their places. */
  readonly atOnce?: { readonly id: string; readonly count: number; readonly place?: number }
  /** Closes the connection in the middle of the body, or this many milliseconds after its end. */
  readonly hangUp?: 'body' | number
}

/** No account has this id. */
const NO_ACCOUNT = '00000000-0000-4000-8000-0000000bad1d'

const WRONG_USER_IDS = { forged: NO_ACCOUNT, empty: '', operator: NO_ACCOUNT } as const

/** The ids from this number on belong to no payment. Each order has its own id, because an app may refuse an id that it has already stored. */
const UNKNOWN_PAY_IDS = 900_000_000_000

/** A `pay_id` for the webhook of an order. There is no payment with this `pay_id`. */
export const unknownPayIdOf = ({ payId }: Pick<CheckedOrder, 'payId'>): number => UNKNOWN_PAY_IDS + payId

/** A note like that of an order, but with numbers and codes that belong to no order. Replaces each part that contains a digit. */
export const unknownNoteOf = ({ id, note }: Pick<CheckedOrder, 'id' | 'note'>): string =>
  note.replace(CODE, (code) =>
    /^\d+$/.test(code) ? String(UNKNOWN_NUMBERS + id) : [...code].toReversed().join(''),
  )

/** Higher than any app counts its orders. */
const UNKNOWN_NUMBERS = 900_000_000

/** A word that contains a digit, such as the number of an order. */
export const CODE = /[\w-]*\d[\w-]*/g

/** In a random code, a letter after a digit. An app may read only the digits of other codes, such as INV-2026-0042. */
const IN_RANDOM_CODE = /(\d)[a-z]/i

const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi

/** Whether a note has codes, and all are random, so that no app finds its order if one letter of each code is replaced. */
export function hasRandomCodes({ note }: Pick<CheckedOrder, 'note'>): boolean {
  const joined = note.replaceAll(UUID, (uuid) => uuid.replaceAll('-', ''))
  const codes = (joined.match(CODE) ?? [])
    .flatMap((code) => code.split('-'))
    .filter((part) => /\d/.test(part))
  return codes.length > 0 && codes.every((code) => IN_RANDOM_CODE.test(code))
}

export function writeCaseWebhook(order: CheckedOrder, variant: WebhookVariant): WrittenWebhook {
  const charset = variant.charset === undefined ? '' : `; charset=${variant.charset}`
  const slowMs = variant.slowMs ?? 0
  if (variant.encoding === 'json') {
    const body = variant.body ?? encodeWebhookJson(entriesOf(order, variant))
    return { contentType: `application/json${charset}`, body, slowMs }
  }
  const body = variant.body ?? encodeWebhookForm(entriesOf(order, variant), variant.brackets ?? 'encoded')
  return { contentType: `application/x-www-form-urlencoded${charset}`, body, slowMs }
}

export const webhookQuery = (order: CheckedOrder, variant: WebhookVariant): string =>
  encodeWebhookForm(entriesOf(order, variant), 'encoded')

function entriesOf(order: CheckedOrder, variant: WebhookVariant): WebhookEntry[] {
  const { payId, note, amount, user, status = 'Success', extraFields, omit } = variant
  const cents = fromEuros(order.amount)
  const content: WebhookContent = {
    payId: payId === 'unknown' ? unknownPayIdOf(order) : order.payId,
    note: note === undefined ? order.note : WRONG_NOTES[note](order),
    amount: amount !== undefined && isWrongAmount(amount) ? wrongAmounts[amount].of(cents) : cents,
    accountId: typeof user === 'string' ? WRONG_USER_IDS[user] : (user ?? order).accountId,
    status,
  }
  const entries = webhookEntries(content, amount === 'two-decimals' ? 'two-decimals' : 'shortest').map(
    (entry) => {
      if (entry.name === 'amount' && (amount === 'no-number' || amount === 'empty'))
        return { ...entry, value: amount === 'empty' ? '' : 'NaN', isNumber: false }
      if (entry.name === 'user_id' && user === 'operator') return { ...entry, name: 'user_id][$ne' }
      return entry.name === 'pay_id' && payId === 'empty' ? { ...entry, value: '', isNumber: false } : entry
    },
  )
  const [first, last] = EXTRA_ENTRIES
  return (extraFields ? [first, ...entries, last] : entries).filter(({ name }) => name !== omit)
}

const WRONG_NOTES: Readonly<Record<NonNullable<WebhookVariant['note']>, (order: CheckedOrder) => string>> = {
  unknown: () => 'belongs to no order',
  similar: unknownNoteOf,
  pattern: () => '%',
  wildcard: ({ note }) => note.replace(CODE, (code) => code.replace(IN_RANDOM_CODE, '$1_')),
}

/** Fields that the API reference does not have, before and after the known fields. */
const EXTRA_ENTRIES: readonly [WebhookEntry, WebhookEntry] = [
  { name: 'currency', value: 'EUR', isNumber: false },
  { name: 'paid_at', value: '2026-01-01 12:00:00', isNumber: false },
]
