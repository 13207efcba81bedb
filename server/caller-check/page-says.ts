import { decodeHtml } from '../domain/text/decode-html.ts'

/** Whether a page contains a text as people read it. A template engine can write `'` as `&#39;`, and break lines. */
export const pageSays = (page: string, text: string): boolean =>
  page.includes(text) || withSpaces(decodeHtml(page)).includes(withSpaces(text))

const withSpaces = (text: string): string => text.replace(/\s+/g, ' ')
