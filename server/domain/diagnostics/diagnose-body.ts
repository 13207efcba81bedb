import { listObjects, type FieldNames } from '../api/list-objects.ts'
import { isWholeCents } from '../money/cents.ts'
import { isMoneyField } from '../money/money-fields.ts'
import type { BehaviorSettings } from '../behaviors/behavior.ts'
import { nearestName } from '../text/closest-match.ts'
import { isNumberText, isStrictNumberText } from '../text/number-text.ts'
import { truncate } from '../text/truncate.ts'
import type { CallFacts, FieldPaths } from './call-facts.ts'
import { diagnoseEach, diagnoseIf, MAX_PER_CODE, type Overrides } from './diagnose-if.ts'
import type { Diagnostic } from './diagnostic.ts'
import { visitLeaves, type Leaf } from './walk-leaves.ts'

/** Diagnoses the fields of a body. */
export function diagnoseBody(
  { callbacks, targets, keysAsRecipients, isForm, settings }: CallFacts,
  { names, texts, numbers, booleans }: FieldPaths,
  body: Readonly<Record<string, unknown>>,
): Diagnostic[] {
  const numberAsText: Leaf[] = []
  const textAsNumber: Leaf[] = []
  const booleanAsText: Leaf[] = []
  const floatCents: Leaf[] = []
  visitLeaves(body, (leaf) => {
    const { path, value } = leaf
    if (typeof value === 'string' && !isForm) {
      if (numbers.has(path) && isNumber(value)) numberAsText.push(leaf)
      if (booleans.has(path) && isBooleanText(value)) booleanAsText.push(leaf)
    }
    if (booleans.has(path) && (value === 0 || value === 1)) booleanAsText.push(leaf)
    // JSON can contain 1e999, which is parsed as infinity.
    if (typeof value === 'number' && Number.isFinite(value)) {
      if (texts.has(path)) textAsNumber.push(leaf)
      if (isMoneyField(path, body.split_type) && !isWholeCents(value)) floatCents.push(leaf)
    }
  })
  return [
    ...diagnoseEach(
      listUnknownFields(body, names),
      'unknownField',
      ({ name, place, knownNames }) => `${truncate(place, 100)}${nearestName(name, [...knownNames])}`,
    ),
    ...diagnoseEach(
      numberAsText,
      'numberAsText',
      ({ place, value }) => `${place}: ${JSON.stringify(value)}`,
      ({ value }) => acceptedIf(isAcceptedNumberText(value, settings.numericStrings)),
    ),
    ...diagnoseEach(
      textAsNumber,
      'textAsNumber',
      ({ place, value }) => `${place}: ${String(value)}`,
      () => acceptedIf(settings.textAsNumber === 'accept'),
    ),
    ...diagnoseEach(
      booleanAsText,
      'booleanAsText',
      ({ place, value }) => `${place}: ${JSON.stringify(value)}`,
      ({ value }) => acceptedIf(settings.booleanAsText === 'accept' && isAcceptedBoolean(value)),
    ),
    ...diagnoseEach(
      floatCents,
      'floatCents',
      ({ place, value }) => `${place}: ${JSON.stringify(value)}`,
      () => acceptedIf(settings.amountDecimals === 'round'),
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

interface UnknownField {
  readonly name: string
  readonly place: string
  readonly knownNames: ReadonlySet<string>
}

function listUnknownFields(body: object, names: FieldNames): UnknownField[] {
  const unknown: UnknownField[] = []
  for (const { fields, placePrefix, knownNames } of listObjects(body, names)) {
    for (const name of Object.keys(fields)) {
      if (knownNames.has(name)) continue
      unknown.push({ name, place: placePrefix + name, knownNames })
      if (unknown.length === MAX_PER_CODE) return unknown
    }
  }
  return unknown
}

/** A mistake is only a warning if the active behavior accepts it. */
const acceptedIf = (isAccepted: boolean): Overrides => (isAccepted ? { severity: 'warning' } : {})

/** Whether a text is a number. A comma counts as the decimal separator, because many languages use it. */
const isNumber = (value: string): boolean => isNumberText(value.replace(',', '.'))

const isAcceptedNumberText = (value: unknown, accepted: BehaviorSettings['numericStrings']): boolean =>
  typeof value === 'string' &&
  (accepted === 'any-spelling' ? isNumberText(value) : accepted === 'accept' && isStrictNumberText(value))

const isBooleanText = (value: string): boolean => /^(true|false|0|1|yes|no)$/i.test(value.trim())

/** The behavior `booleanAsText` accepts neither spaces nor capitals. */
const isAcceptedBoolean = (value: unknown): boolean =>
  ['true', 'false', '1', '0', 1, 0].some((accepted) => accepted === value)
