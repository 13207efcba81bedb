import { eventTypes, listEventKeys, type EventType } from '../../domain/events/event.ts'
import { didYouMean } from '../../domain/text/closest-match.ts'
import { Problem } from '../requests/problem.ts'

export type Match = Readonly<Record<string, unknown>>

const wrong = (detail: string): Problem => new Problem(400, 'Not valid', detail)

export function validateEventType(name: string): EventType {
  const type = eventTypes.find((known) => known === name)
  if (type !== undefined) return type
  const types = `The types are ${eventTypes.join(', ')}.`
  throw wrong(`There is no event type ${name}${didYouMean(name, eventTypes) || '.'} ${types}`)
}

/** Refuses a pattern that would match anything, or that nothing could ever match. */
export function validateMatch(match: Match): Match {
  const wanted = Object.keys(match)
  if (wanted.length === 0) {
    throw wrong(
      'match is empty and would match anything. Name at least a type, like {"match":{"type":"link.paid"}}.',
    )
  }
  if (Object.hasOwn(match, 'type') && typeof match.type !== 'string') {
    throw wrong(`type in match: should be one event type as text, like link.paid.`)
  }
  const type = typeof match.type === 'string' ? validateEventType(match.type) : undefined
  const known = listEventKeys(type)
  const unknown = wanted.find((key) => !known.includes(key))
  if (unknown === undefined) return match
  const what = type === undefined ? 'No event has' : `No event of type ${type} has`
  throw wrong(
    `${what} a key ${unknown}${didYouMean(unknown, known) || '.'} ${type === undefined ? 'There are' : 'It has'} ${known.join(', ')}.`,
  )
}
