import { visibleLine } from './visible.ts'

/** A received text in quotes, for a message. A text with quotes of its own, such as JSON, stays as it is. */
export const quoteText = (text: string): string =>
  text.includes('"') ? visibleLine(text) : `"${visibleLine(text)}"`
