import { UNREADABLE_BODIES, describeAnswer, type Answer, type Trait, type Traits } from './describe-answer.ts'
import { truncate } from '../text/truncate.ts'

type DifferenceKind =
  | 'status'
  | 'header'
  | 'content-type'
  | 'body'
  | 'missing-field'
  | 'extra-field'
  | 'type'
  | 'value'
  | 'text'

/** A place where two responses differ, apart from ids, times and hosts. */
export interface AnswerDifference {
  /** `status`, `content-type`, `header retry-after`, `body`, or the path of a field like `data.pay_link`. */
  readonly place: string
  readonly kind: DifferenceKind
  /** What the sandbox's response has at this place. `null` if it has nothing there. */
  readonly expected: string | null
  /** What the service's response has at this place. `null` if it has nothing there. */
  readonly found: string | null
  readonly text: string
}

/**
 * Compares the responses of the sandbox and of the service to the same request. Status, relevant headers, content type, fields,
 * types and texts must be equal. Ids, times, hosts and the settings of the account may differ.
 */
export const compareAnswers = (sandbox: Answer, service: Answer): AnswerDifference[] =>
  compareTraits(describeAnswer(sandbox), describeAnswer(service))

function compareTraits(expected: Traits, service: Traits): AnswerDifference[] {
  return placesOf(expected, service)
    .filter(({ place, parent }) => canHave(expected, place, parent) && canHave(service, place, parent))
    .flatMap(({ place }) => differenceAt(place, expected.get(place), service.get(place)) ?? [])
}

/** All places in the responses, each with the place that contains it. */
export function placesOf(...answers: readonly Traits[]): { place: string; parent: string | null }[] {
  const places = new Map(
    answers.flatMap((traits) => [...traits].map(([place, { parent }]) => [place, parent])),
  )
  return [...places].map(([place, parent]) => ({ place, parent }))
}

/**
 * Whether a response has a value at a place, or could have one. If an object is missing, its fields are not reported as well. If
 * a list is empty, nothing is known about its items.
 */
export const canHave = (traits: Traits, place: string, parent: string | null): boolean =>
  traits.has(place) || parent === null || traits.get(parent)?.types.includes('object') === true

/** Whether all responses have a place, or could have it. */
export function allCanHave(place: string, answers: readonly Answer[]): boolean {
  const parent = place.includes('.') ? place.slice(0, place.lastIndexOf('.')) : 'body'
  return answers.every((answer) => canHave(describeAnswer(answer), place, parent))
}

export const isSameTrait = (one: Trait | undefined, other: Trait | undefined): boolean =>
  typeText(one) === typeText(other) && one?.shape === other?.shape

const typeText = (trait: Trait | undefined): string | undefined => trait?.types.join(' or ')

/** The first `most` differences. If there are more, one more entry says how many. */
export function limitDifferences(all: readonly AnswerDifference[], max: number): AnswerDifference[] {
  const more = all.length - max
  if (more <= 0) return [...all]
  const moreText = `${more} more ${more === 1 ? 'difference' : 'differences'}`
  const text = `${moreText} ${more === 1 ? 'is' : 'are'} not listed.`
  const rest = { place: 'body', kind: 'body', expected: null, found: moreText, text } as const
  return [...all.slice(0, max), rest]
}

function differenceAt(
  place: string,
  expected: Trait | undefined,
  found: Trait | undefined,
): AnswerDifference | undefined {
  if (isSameTrait(expected, found)) return undefined
  const kind = kindOf(place, expected, found)
  return {
    place,
    kind,
    expected: shown(expected),
    found: shown(found),
    text: textOf(place, kind, shown(expected), shown(found)),
  }
}

function kindOf(place: string, expected: Trait | undefined, found: Trait | undefined): DifferenceKind {
  const { kind } = (expected ?? found)!
  if (kind !== 'field') return kind
  if (found === undefined) return 'missing-field'
  if (expected === undefined) return 'extra-field'
  if (typeText(expected) !== typeText(found)) return 'type'
  return place === 'ResponseMsg' ? 'text' : 'value'
}

/** Values are cut at this length, because the items of a list may all look different. */
const MAX_SHOWN = 300

function shown(trait: Trait | undefined): string | null {
  if (trait === undefined) return null
  if (trait.shape !== '') return truncate(trait.shape, MAX_SHOWN)
  const type = trait.types.join(' or ')
  if (trait.kind !== 'field' || type === 'null') return type
  return `${trait.types[0] === 'object' ? 'an' : 'a'} ${type}`
}

function textOf(place: string, kind: DifferenceKind, expected: string | null, found: string | null): string {
  switch (kind) {
    case 'status':
      return `The service answers HTTP ${found}, the sandbox HTTP ${expected}.`
    case 'content-type':
      return `The service answers with the content type ${found}, the sandbox with ${expected}.`
    // The place is `header retry-after`, for example.
    case 'header':
      return found === null
        ? `The sandbox sends the ${place}, but the service does not.`
        : `The service sends the ${place}, but the sandbox does not.`
    case 'body':
      return `The body of the service is ${describeBody(found)}, that of the sandbox ${describeBody(expected)}.`
    case 'missing-field':
      return `The service does not send ${place} (${expected}), the sandbox does.`
    case 'extra-field':
      return `The service sends ${place} (${found}), the sandbox does not.`
    default:
      return `${place} is ${found} in the service, ${expected} in the sandbox.`
  }
}

/** `a JSON object`, `not JSON` or `cut off`. */
const describeBody = (type: string | null): string =>
  type === null || type === 'object' ? 'a JSON object' : UNREADABLE_BODIES.has(type) ? type : `a JSON ${type}`
