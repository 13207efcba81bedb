import { isWholeCents } from '../money/money.ts'
import { nearestName } from '../text/closest-match.ts'
import { truncate } from '../text/truncate.ts'
import type { CallFacts, FieldNames } from './call-facts.ts'
import { diagnoseEach, diagnoseIf, type Overrides } from './diagnose-if.ts'
import type { Diagnostic } from './diagnostic.ts'
import { listLeaves } from './walk-leaves.ts'

/** Diagnoses the fields of a body. */
export function diagnoseBody(
  { callbacks, targets, keysAsRecipients, isForm, numericStrings }: CallFacts,
  { names, texts, numbers, booleans }: FieldNames,
  body: Readonly<Record<string, unknown>>,
): Diagnostic[] {
  const leaves = listLeaves(body)
  const topLevel = names.filter((name) => !name.includes('.'))
  const isMoney = (path: string): boolean =>
    /(^|_)amount$/.test(path) || (path === 'recipients.*.share' && body.split_type === 'absolute')
  return [
    ...diagnoseEach(
      Object.keys(body).filter((name) => !topLevel.includes(name)),
      'unknownField',
      (name) => `${truncate(name, 100)}${nearestName(name, topLevel)}`,
    ),
    ...diagnoseEach(
      isForm ? [] : leaves.filter(({ path, value }) => numbers.includes(path) && isNumberText(value)),
      'numberAsText',
      ({ place, value }) => `${place}: ${JSON.stringify(value)}`,
      ({ value }) => (numericStrings === 'accept' && isAcceptedNumberText(value) ? ACCEPTED_TEXT : {}),
    ),
    ...diagnoseEach(
      leaves.filter(({ path, value }) => texts.includes(path) && isFiniteNumber(value)),
      'textAsNumber',
      ({ place, value }) => `${place}: ${String(value)}`,
    ),
    ...diagnoseEach(
      isForm ? [] : leaves.filter(({ path, value }) => booleans.includes(path) && isBooleanText(value)),
      'booleanAsText',
      ({ place, value }) => `${place}: ${JSON.stringify(value)}`,
    ),
    ...diagnoseEach(
      leaves.filter(({ path, value }) => isMoney(path) && isFiniteNumber(value) && !isWholeCents(value)),
      'floatCents',
      ({ place, value }) => `${place}: ${JSON.stringify(value)}`,
    ),
    ...diagnoseEach(
      keysAsRecipients,
      'keyAsRecipient',
      (index) => `recipients[${index}].token is an API key`,
    ),
    ...diagnoseEach(
      [...callbacks, ...targets].filter(({ problem }) => problem === 'out-of-range'),
      'indexOutOfRange',
      ({ reason }) => reason,
    ),
    ...diagnoseIf(
      callbacks.length > 1,
      'severalCallbackUrls',
      () => `${callbacks.length} entries in callback_url`,
    ),
  ]
}

const ACCEPTED_TEXT: Overrides = { severity: 'warning' }

/** JSON can hold 1e999, which is read as infinite. */
const isFiniteNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value)

const isNumberText = (value: unknown): boolean =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim())

/** The behavior `numericStrings=accept` reads no spaces and no leading zeros. */
const isAcceptedNumberText = (value: unknown): boolean =>
  typeof value === 'string' && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value)

const isBooleanText = (value: unknown): boolean =>
  typeof value === 'string' && /^(true|false|0|1|yes|no)$/i.test(value.trim())
