import { listObjects, type FieldNames } from '../api/list-objects.ts'
import { isWholeCents } from '../money/cents.ts'
import { isMoneyField } from '../money/split.ts'
import type { BehaviorSettings } from '../behaviors/behavior.ts'
import { isObject } from '../text/is-object.ts'
import { nearestName } from '../text/closest-match.ts'
import { isNumberText, isStrictNumberText } from '../text/number-text.ts'
import { truncate } from '../text/truncate.ts'
import type { CallFacts, FieldPaths } from './call-facts.ts'
import { MAX_PER_CODE, type Overrides, type Report } from './diagnostic.ts'

/** Diagnoses the fields of a body. */
export function diagnoseBody(
  { callbacks, targets, keysAsRecipients, isForm, settings }: CallFacts,
  { names, texts, numbers, booleans }: FieldPaths,
  body: Readonly<Record<string, unknown>>,
  report: Report,
): void {
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
    // JSON can contain 1e999, which JavaScript reads as infinity.
    if (typeof value === 'number' && Number.isFinite(value)) {
      if (texts.has(path)) textAsNumber.push(leaf)
      if (isMoneyField(path, body.split_type) && !isWholeCents(value)) floatCents.push(leaf)
    }
  })
  for (const { name, place, knownNames } of listUnknownFields(body, names))
    report('unknownField', `${truncate(place, 100)}${nearestName(name, [...knownNames])}`)
  for (const leaf of numberAsText.slice(0, MAX_PER_CODE))
    report('numberAsText', shown(leaf), acceptedIf(isAcceptedNumberText(leaf.value, settings.numericStrings)))
  for (const leaf of textAsNumber.slice(0, MAX_PER_CODE))
    report('textAsNumber', shown(leaf), acceptedIf(settings.textAsNumber === 'accept'))
  for (const leaf of booleanAsText.slice(0, MAX_PER_CODE))
    report(
      'booleanAsText',
      shown(leaf),
      acceptedIf(settings.booleanAsText === 'accept' && isAcceptedBoolean(leaf.value)),
    )
  for (const leaf of floatCents.slice(0, MAX_PER_CODE))
    report('floatCents', shown(leaf), acceptedIf(settings.amountDecimals === 'round'))
  for (const index of keysAsRecipients.slice(0, MAX_PER_CODE))
    report('keyAsRecipient', `recipients[${index}].token is an API key`)
  const outOfRange = [...callbacks, ...targets].filter(({ problem }) => problem === 'out-of-range')
  for (const { reason } of outOfRange.slice(0, MAX_PER_CODE)) report('indexOutOfRange', reason)
  if (callbacks.length > 1) report('severalCallbackUrls', `${callbacks.length} entries in callback_url`)
}

/** A value in a body that is not an object or a list. */
interface Leaf {
  /** Such as `recipients.*.share`. */
  readonly path: string
  /** Such as `recipients[0].share`. */
  readonly place: string
  readonly value: unknown
}

const shown = ({ place, value }: Leaf): string => `${place}: ${JSON.stringify(value)}`

/** The maximum number of values to visit, including objects and lists. */
const MAX_VALUES = 5_000

/** Visits the leaves of a body, from first to last. */
function visitLeaves(body: object, visit: (leaf: Leaf) => void): void {
  let left = MAX_VALUES

  function visitHolder(holder: object, pathPrefix: string, placePrefix: string): void {
    const isList = Array.isArray(holder)
    for (const name of Object.keys(holder)) {
      if (left-- <= 0) return
      const value = (holder as Readonly<Record<string, unknown>>)[name]
      const path = pathPrefix + (isList ? '*' : name)
      const place = isList ? `${placePrefix}[${name}]` : placePrefix === '' ? name : `${placePrefix}.${name}`
      if (isObject(value)) visitHolder(value, `${path}.`, place)
      else visit({ path, place, value })
    }
  }
  visitHolder(body, '', '')
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

/** The severity of a mistake. It is only a warning if the active behavior accepts the value. */
const acceptedIf = (isAccepted: boolean): Overrides => (isAccepted ? { severity: 'warning' } : {})

/** Whether a text is a number. A comma also counts as the decimal separator, because many languages use it. */
const isNumber = (value: string): boolean => isNumberText(value.replace(',', '.'))

const isAcceptedNumberText = (value: unknown, accepted: BehaviorSettings['numericStrings']): boolean =>
  typeof value === 'string' &&
  (accepted === 'any-spelling' ? isNumberText(value) : accepted === 'accept' && isStrictNumberText(value))

const isBooleanText = (value: string): boolean => /^(true|false|0|1|yes|no)$/i.test(value.trim())

/** Whether `booleanAsText=accept` accepts a value, which must be lowercase and without spaces. */
const isAcceptedBoolean = (value: unknown): boolean =>
  ['true', 'false', '1', '0', 1, 0].some((accepted) => accepted === value)
