import { didYouMeanSentence } from '../../domain/text/usage-error.ts'

/** What was to be taken away and is not there. Whoever tidies up twice is right to, and whoever mistyped is to know. */
export const unknownItemNotes = (
  wanted: readonly string[],
  there: readonly string[],
  says: (name: string) => string,
): readonly string[] =>
  wanted.filter((name) => !there.includes(name)).map((name) => says(name) + didYouMeanSentence(name, there))
