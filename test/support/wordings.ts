import { messages } from '../../server/domain/api/api-error.ts'

export type WordingName = keyof typeof messages

const MARK = '\u0001'

/** What the messages of each wording look like, whatever is put into them. */
const patterns = (Object.keys(messages) as WordingName[]).flatMap((name): [WordingName, RegExp][] => {
  const text: string | ((...parts: never[]) => string) = messages[name]
  // One that does more than put its parts in looks for a name among others.
  if (name === 'operationUnknown') return []
  const sample = typeof text === 'string' ? text : text(...(Array(9).fill(MARK) as never[]))
  const escaped = sample.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/entries$/, 'entr(y|ies)')
  return [[name, new RegExp(`^${escaped.replaceAll(MARK, '[^]*')}$`)]]
})

/** The wordings that a message can be of. */
export const wordingsOf = (message: string): WordingName[] =>
  patterns.flatMap(([name, pattern]) => (pattern.test(message) ? [name] : []))

/** Those with a part that any sender makes up. The others are told by their words. */
const FREE = new Set<WordingName>([
  'bodyNotJson',
  'contentTypeNotJson',
  'entryInvalid',
  'indexOutOfRange',
  'notHttps',
  'payIdInvalid',
  'sharesExceed',
  'tooManyRequests',
])

/** Whether one of some example messages stands for a message. */
export function isAmong(message: string, examples: readonly string[]): boolean {
  const free = wordingsOf(message).filter((name) => FREE.has(name))
  return examples.some(
    (example) =>
      withoutNumbers(example) === withoutNumbers(message) ||
      wordingsOf(example).some((name) => free.includes(name)),
  )
}

const withoutNumbers = (text: string): string => text.replace(/\d+(\.\d+)?/g, '0')
