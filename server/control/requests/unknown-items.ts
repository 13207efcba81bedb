import { didYouMeanSentence } from '../../domain/text/closest-match.ts'

/**
 * Notes about items that should be removed but do not exist. A missing item is not an error, because items may be removed
 * twice, but the note reveals a typo.
 */
export const unknownItemNotes = (
  wanted: readonly string[],
  existing: readonly string[],
  toNote: (name: string) => string,
): readonly string[] =>
  wanted
    .filter((name) => !existing.includes(name))
    .map((name) => toNote(name) + didYouMeanSentence(name, existing))
