import type { EventType } from '../../domain/events/event.ts'
import { eventTypes, listEventKeys } from '../../domain/events/event-fields.ts'
import { didYouMean } from '../../domain/text/closest-match.ts'
import { invalid } from '../requests/problem.ts'

export type Match = Readonly<Record<string, unknown>>

export function validateEventType(name: string): EventType {
  const type = eventTypes.find((known) => known === name)
  if (type !== undefined) return type
  const types = `The types are ${eventTypes.join(', ')}.`
  throw invalid(`There is no event type ${name}${didYouMean(name, eventTypes) || '.'} ${types}`)
}

/** Rejects a match that every event satisfies, or that no event can satisfy. */
export function validateMatch(match: Match): Match {
  const keys = Object.keys(match)
  if (keys.length === 0) {
    throw invalid(
      'The match is empty, so any event would match. Name at least a type, like {"match":{"type":"link.paid"}}.',
    )
  }
  if (Object.hasOwn(match, 'type') && typeof match.type !== 'string') {
    throw invalid(
      `type in match is ${JSON.stringify(match.type)}. It should be one event type, like "link.paid".`,
    )
  }
  const type = typeof match.type === 'string' ? validateEventType(match.type) : undefined
  const eventKeys = listEventKeys(type)
  const unknown = keys.find((key) => !eventKeys.includes(key))
  if (unknown === undefined) return match
  const who = type === undefined ? 'No event has' : `No event of type ${type} has`
  const list = `${type === undefined ? 'There are' : 'It has'} ${eventKeys.join(', ')}.`
  throw invalid(`${who} a key ${unknown}${didYouMean(unknown, eventKeys) || '.'} ${list}`)
}
