import { decodeEscapes } from '../../domain/text/decode-escapes.ts'

/** Whether a page contains a text as people read it. The page can escape characters, such as `'`, and break lines. */
export const pageSays = (page: string, text: string): boolean =>
  page.includes(text) || withSpaces(decodeEscapes(page)).includes(withSpaces(text))

const withSpaces = (text: string): string => text.replace(/\s+/g, ' ')
