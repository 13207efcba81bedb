import type { Body, Exchange, Headers } from '../../server/domain/http/exchange.ts'
import { listNames } from '../../server/contract/format/list-names.ts'
import { fieldsOf } from '../components/body-fields.ts'
import { isForm } from '../components/body-text.ts'
import { compareLists, type Comparison } from './differences.ts'

/** One of two events that are compared. */
interface ComparedSide {
  readonly exchange: Exchange | null
  /** The result in a word, such as `503` or `no answer`. */
  readonly result: string
}

export interface ComparedPart {
  readonly title: string
  /** What is compared, in the plural. */
  readonly what: string
  /** `undefined` if a recording left the body out. */
  readonly comparison: Comparison | undefined
}

interface ExchangeComparison {
  /** `Sent: identical. The answer changed from 503 to 200.` */
  readonly summary: string
  /** The most important differences come first, and equal parts last. */
  readonly parts: readonly ComparedPart[]
  /** Headers that differ only because of something else, such as the time or the body. */
  readonly consequences: Comparison
}

const CONSEQUENCES = new Set(['age', 'content-length', 'date', 'transfer-encoding'])

export function compareExchanges(left: ComparedSide, right: ComparedSide): ExchangeComparison {
  const [one, other] = [left.exchange, right.exchange]
  const [request, otherRequest] = [one?.request, other?.request]
  const [response, otherResponse] = [one?.response ?? undefined, other?.response ?? undefined]
  const result = compareLists([['Status', left.result]], [['Status', right.result]])
  const address = compareLists(addressOf(request), addressOf(otherRequest))
  const sentHeaders = compareHeaders(request?.headers, otherRequest?.headers)
  const receivedHeaders = compareHeaders(response?.headers, otherResponse?.headers)
  const fields = compareBodies(request, otherRequest, fieldsOfBody)
  const body = compareBodies(response, otherResponse, wholeBody)
  const parts: readonly ComparedPart[] = [
    { title: 'Result', what: 'values', comparison: result },
    { title: 'Address', what: 'addresses', comparison: address },
    { title: 'Fields sent', what: 'fields', comparison: fields },
    { title: 'Response', what: 'bodies', comparison: body },
    { title: 'Headers sent', what: 'headers', comparison: sentHeaders.own },
    { title: 'Headers received', what: 'headers', comparison: receivedHeaders.own },
  ]
  return {
    summary: [
      sentSentence(one, other, { address, fields, headers: sentHeaders }),
      answerSentence(left, right, body),
    ]
      .filter(Boolean)
      .join(' '),
    parts: [...parts.filter(isDifferent), ...parts.filter((part) => !isDifferent(part))],
    consequences: {
      different: [...named('sent', sentHeaders), ...named('received', receivedHeaders)],
      equal: [],
    },
  }
}

const isDifferent = ({ comparison }: ComparedPart): boolean => (comparison?.different.length ?? 0) > 0

interface Message {
  readonly headers: Headers
  readonly body: Body
}

const addressOf = (request: Exchange['request'] | undefined) =>
  request ? [['Address', `${request.method} ${request.url}`] as const] : []

/** Used if the stored bytes of two bodies are equal. Then only the sizes differ, or how the bytes were stored. */
const sizeOf = ({ body }: Message) => [['Body', `${body.size} bytes, stored as ${body.encoding}`] as const]

const wholeBody = (message: Message) => [['Body', message.body.content] as const]

/** The fields of a body, or the whole body if it has none. */
function fieldsOfBody({ headers, body: { content } }: Message) {
  const fields = fieldsOf(content, isForm(headers))
  return fields.length > 0 ? fields : [['Body', content] as const]
}

function compareBodies(
  one: Message | undefined,
  other: Message | undefined,
  partsOf: (message: Message) => readonly (readonly [name: string, value: string])[],
): Comparison | undefined {
  if (one?.body.isOmitted || other?.body.isOmitted) return undefined
  const comparison = compareLists(one ? partsOf(one) : [], other ? partsOf(other) : [])
  const hasOtherBytes = one && other && comparison.different.length === 0 && !isSameBody(one, other)
  if (!hasOtherBytes) return comparison
  return one.body.content === other.body.content
    ? compareLists(sizeOf(one), sizeOf(other))
    : compareLists(wholeBody(one), wholeBody(other))
}

/** The size also has to be equal, because a stored body may be truncated. */
const isSameBody = ({ body: one }: Message, { body: other }: Message): boolean =>
  one.content === other.content && one.encoding === other.encoding && one.size === other.size

interface HeaderComparison {
  readonly own: Comparison
  /** Differences that follow from others, or from the time. */
  readonly consequences: Comparison['different']
}

const isConsequence = ({ name }: { readonly name: string }): boolean => CONSEQUENCES.has(name)

function compareHeaders(one: Headers = [], other: Headers = []): HeaderComparison {
  const { different, equal } = compareLists(lowerCase(one), lowerCase(other))
  return {
    own: { different: different.filter((difference) => !isConsequence(difference)), equal },
    consequences: different.filter(isConsequence),
  }
}

const lowerCase = (headers: Headers) => headers.map(([name, value]) => [name.toLowerCase(), value] as const)

const named = (how: string, { consequences }: HeaderComparison): Comparison['different'] =>
  consequences.map((difference) => ({ ...difference, name: `${difference.name} ${how}` }))

interface SentParts {
  readonly address: Comparison
  readonly fields: Comparison | undefined
  readonly headers: HeaderComparison
}

/** Says that both requests have the same bytes, or in what they differ. */
function sentSentence(one: Exchange | null, other: Exchange | null, parts: SentParts): string {
  if (!one || !other) return one || other ? 'Only one of the two was sent.' : ''
  if (!parts.fields) return 'Sent: not compared, because a HAR file does not contain the body.'
  const { different: fields } = parts.fields
  const headers = parts.headers.own.different
  const changes = [
    ...parts.address.different.map(() => 'the address'),
    ...fields.map(({ name }) => (name === 'Body' ? 'the body' : name)),
    ...headers.map(({ name }) => `the header ${name}`),
  ]
  const [first] = fields
  if (changes.length === 0) {
    const framing = parts.headers.consequences.map(({ name }) => name)
    return framing.length === 0
      ? 'Sent: identical.'
      : `Sent: the same body, with another ${listNames(framing)}.`
  }
  if (changes.length > 1 || !first || first.name === 'Body') {
    return `Sent: ${listNames(changes)} ${changes.length === 1 ? 'differs' : 'differ'}.`
  }
  if (first.left === undefined) return `Sent: ${first.name} was added.`
  if (first.right === undefined) return `Sent: ${first.name} was left out.`
  return `Sent: ${first.name} changed from ${shorten(first.left)} to ${shorten(first.right)}.`
}

function answerSentence(left: ComparedSide, right: ComparedSide, body: Comparison | undefined): string {
  const [from, to] = [left.result, right.result]
  if (from !== to) {
    return left.exchange?.response && right.exchange?.response
      ? `The answer changed from ${from} to ${to}.`
      : `First ${from}, then ${to}.`
  }
  if (!left.exchange?.response || !right.exchange?.response) return `The same both times: ${from}.`
  if (!body) return `The answer was ${from} both times.`
  const how =
    body.different.length > 0
      ? 'with different bodies'
      : body.equal[0]?.value === ''
        ? 'without a body'
        : 'with the same body'
  return `The answer was ${from} both times, ${how}.`
}

const MAX_VALUE = 40

const shorten = (text: string): string => {
  if (text === '') return '(empty)'
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE).toWellFormed()}…` : text
}
