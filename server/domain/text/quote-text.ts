import { visibleLine } from './visible.ts'

/** A received text in quotation marks, for a message. A text that contains quotation marks, such as JSON, is not quoted again. */
export const quoteText = (text: string): string =>
  text.includes('"') ? visibleLine(text) : `"${visibleLine(text)}"`
