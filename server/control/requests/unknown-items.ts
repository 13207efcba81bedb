import { didYouMeanSentence } from '../../domain/text/closest-match.ts'

/**
 * Notes about items to remove that do not exist. A missing item is not an error, because an item may be removed twice, but the note reveals a
 * typo.
 */
export const unknownItemNotes = (
  names: readonly string[],
  existing: readonly string[],
  toNote: (name: string) => string,
): readonly string[] =>
  names
    .filter((name) => !existing.includes(name))
    .map((name) => toNote(name) + didYouMeanSentence(name, existing))
