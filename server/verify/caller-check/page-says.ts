import { decodeEscapes } from '../../domain/text/decode-escapes.ts'

/** Whether a page shows a text to its readers. In the page, characters such as `'` can be escaped, and lines can be broken. */
export const pageSays = (page: string, text: string): boolean =>
  page.includes(text) || withSpaces(decodeEscapes(page)).includes(withSpaces(text))

const withSpaces = (text: string): string => text.replace(/\s+/g, ' ')
