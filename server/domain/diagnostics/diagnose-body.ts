import { isWholeCents } from '../money/cents.ts'
import { nearestName } from '../text/closest-match.ts'
import { truncate } from '../text/truncate.ts'
import type { CallFacts, FieldNames } from './call-facts.ts'
import { diagnoseEach, diagnoseIf, type Overrides } from './diagnose-if.ts'
import type { Diagnostic } from './diagnostic.ts'
import { visitLeaves, type Leaf } from './walk-leaves.ts'

/** Diagnoses the fields of a body. */
export function diagnoseBody(
  { callbacks, targets, keysAsRecipients, isForm, numericStrings }: CallFacts,
  { names, texts, numbers, booleans }: FieldNames,
  body: Readonly<Record<string, unknown>>,
): Diagnostic[] {
  const numberAsText: Leaf[] = []
  const textAsNumber: Leaf[] = []
  const booleanAsText: Leaf[] = []
  const floatCents: Leaf[] = []
  const isMoney = (path: string): boolean =>
    /(^|_)amount$/.test(path) || (path === 'recipients.*.share' && body.split_type === 'absolute')
  visitLeaves(body, (leaf) => {
    const { path, value } = leaf
    if (typeof value === 'string' && !isForm) {
      if (numbers.has(path) && isNumberText(value)) numberAsText.push(leaf)
      if (booleans.has(path) && isBooleanText(value)) booleanAsText.push(leaf)
    }
    // JSON can hold 1e999, which is read as infinite.
    if (typeof value === 'number' && Number.isFinite(value)) {
      if (texts.has(path)) textAsNumber.push(leaf)
      if (isMoney(path) && !isWholeCents(value)) floatCents.push(leaf)
    }
  })
  return [
    ...diagnoseEach(
      Object.keys(body).filter((name) => !names.has(name)),
      'unknownField',
      (name) => `${truncate(name, 100)}${nearestName(name, [...names])}`,
    ),
    ...diagnoseEach(
      numberAsText,
      'numberAsText',
      ({ place, value }) => `${place}: ${JSON.stringify(value)}`,
      ({ value }) => (numericStrings === 'accept' && isAcceptedNumberText(value) ? ACCEPTED_TEXT : {}),
    ),
    ...diagnoseEach(textAsNumber, 'textAsNumber', ({ place, value }) => `${place}: ${String(value)}`),
    ...diagnoseEach(
      booleanAsText,
      'booleanAsText',
      ({ place, value }) => `${place}: ${JSON.stringify(value)}`,
    ),
    ...diagnoseEach(floatCents, 'floatCents', ({ place, value }) => `${place}: ${JSON.stringify(value)}`),
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

/** Whether a text is a number. A comma counts as the decimal separator, because many languages use it. */
const isNumberText = (value: string): boolean => /^-?\d+([.,]\d+)?$/.test(value.trim())

/** The behavior `numericStrings=accept` accepts neither spaces nor leading zeros. */
const isAcceptedNumberText = (value: unknown): boolean =>
  typeof value === 'string' && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value)

const isBooleanText = (value: string): boolean => /^(true|false|0|1|yes|no)$/i.test(value.trim())
