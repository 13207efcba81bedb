import { didYouMeanSentence } from '../domain/text/closest-match.ts'
import { topicOf, type EventType } from '../domain/events/event.ts'
import { eventTypes } from '../domain/events/event-fields.ts'
import { UsageError } from '../domain/text/usage-error.ts'

export function readEventType(name: string): EventType {
  const type = eventTypes.find((candidate) => candidate === name)
  if (type !== undefined) return type
  const suggestion = didYouMeanSentence(name, eventTypes) || suggestBySuffix(name)
  throw new UsageError(
    suggestion === ''
      ? `There is no event type ${name}. The types are ${eventTypes.join(', ')}.`
      : `There is no event type ${name}.${suggestion} npx paylink-sandbox help wait lists them.`,
  )
}

/** The hint for a type without its first part, such as `paid`. */
function suggestBySuffix(name: string): string {
  const types = eventTypes.filter((type) => type.endsWith(`.${name}`))
  return types.length === 0 ? '' : ` Did you mean ${types.join(' or ')}?`
}

/** The event types for help, one line for each topic: `link.created link.paid link.cancelled`. */
export function eventTypeNote(): string[] {
  const topics = new Set(eventTypes.map((type) => topicOf({ type })))
  const lines = [...topics].map((topic) => eventTypes.filter((type) => topicOf({ type }) === topic).join(' '))
  return ['Types of events:', ...lines.map((line) => `  ${line}`)]
}
