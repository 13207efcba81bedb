import { linkKeys } from '../../client/link-ref.ts'
import type { EventMatch } from '../../client/waits.ts'
import type { EventType } from '../../domain/events/event.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { command } from '../command.ts'
import { accountFlag, connectionFlags, LINK_NOTE } from '../shared-flags.ts'
import { connect } from '../connect.ts'
import { eventLine } from '../../contract/format/terminal-lines.ts'
import { print } from '../io.ts'
import { eventTypeNote, readEventType } from '../read-event-type.ts'
import { duration, readWholeNumber } from '../read-values.ts'

const DEFAULT_TIMEOUT = '5s'

export const wait = command({
  text: 'wait for an event, such as a payment; returns at once if it has already happened',
  operands: ['<type>', '[key=value]…'],
  flags: {
    link: { kind: 'text', value: '<link>', text: 'only events about this link' },
    timeout: {
      kind: 'text',
      value: '<time>',
      text: `maximum time, like 500ms, 5s or 1m (${DEFAULT_TIMEOUT})`,
    },
    count: { kind: 'text', value: '<n>', text: 'number of events to wait for (1)' },
    after: { kind: 'text', value: '<seq>', text: 'only events after the event with this seq (0)' },
    account: accountFlag,
    ...connectionFlags,
  },
  examples: [
    'wait link.paid payId=1001',
    'wait link.created link.amount=100',
    'wait delivery.attempted status=Success httpStatus=200 --timeout 20s',
  ],
  notes: () => [LINK_NOTE, eventTypeNote()],
  async run({ flags, operands }, io) {
    const [typeName = '', ...pairs] = operands
    const type = readEventType(typeName)
    const values = readMatch(pairs)
    if (pairs.length > 0) (await import('./validate-wait-keys.ts')).validateMatch(type, values)
    const link = flags.link === undefined ? {} : readLink(flags.link)
    // The sandbox validates the keys.
    const match = Object.assign(emptyPattern(), { type }, link, values) as EventMatch<EventType>
    const timeoutMs = duration('timeout', flags.timeout ?? DEFAULT_TIMEOUT)
    const after = readWholeNumber('after', flags.after, 0)
    const count = readWholeNumber('count', flags.count, 1, 1000) ?? 1
    const sandbox = await connect(flags, io)
    const waits = flags.account === undefined ? sandbox : await sandbox.account(flags.account)

    const events = await waits.waitFor(match, {
      count,
      timeoutMs,
      ...(after !== undefined && { after }),
    })
    for (const event of events) print(io, flags.json, event, () => eventLine(event))
    return 0
  },
})

function readLink(link: string): object {
  try {
    return linkKeys(link)
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error
  }
}

type Pattern = Record<string, unknown>

/** It has no prototype, so `constructor` is an ordinary key. */
const emptyPattern = (): Pattern => Object.create(null) as Pattern

/** Turns `key=value` pairs into a pattern. A dot separates the names of nested fields: `link.amount=100`. */
function readMatch(pairs: readonly string[]): Pattern {
  const match = emptyPattern()
  for (const pair of pairs) {
    const [key = '', value] = pair.split(/=(.*)/s)
    if (value === undefined) throw new UsageError(`${pair} has no value. Write ${pair}=<value>.`)
    const steps = key.split('.')
    if (steps[0] === 'type') {
      throw new UsageError(
        `${pair} sets the type again. Leave it out: the first operand is already the type.`,
      )
    }
    // JSON would leave out this key, and the wait would ignore it.
    if (steps.includes('__proto__')) throw new UsageError(`No event has a key __proto__. Leave ${pair} out.`)
    const last = steps.pop()!
    const place = steps.reduce((outer, step) => nestedPattern(outer, step, pair), match)
    if (Object.hasOwn(place, last))
      throw new UsageError(`${key} has two values. Give it one value, or run wait once for each.`)
    place[last] = readValue(value)
  }
  return match
}

function nestedPattern(outer: Pattern, step: string, pair: string): Pattern {
  const inner = (outer[step] ??= emptyPattern())
  if (typeof inner === 'object') return inner as Pattern
  throw new UsageError(
    `${pair} needs ${step} to be an object, but another pair sets it to ${String(inner)}. Leave one out.`,
  )
}

/** Reads a value as JSON if it is valid JSON, otherwise as text. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
