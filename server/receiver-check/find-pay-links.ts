import { decodeHtml } from '../domain/text/decode-html.ts'

/**
 * The pay links in a page, a JSON document or an address, each once. Template engines write `/` and `=` as `&#x2F;` and
 * `&#x3D;`, JSON encoders as `\/` and `\u003d`.
 */
export const findPayLinks = (text: string): string[] => [
  ...new Set(decode(text).match(/https?:\/\/[^\s"'<>\\]+\/payment\?link_id=[\w%+/=-]+/g) ?? []),
]

const decode = (text: string): string =>
  decodeHtml(text)
    .replace(/\\u00([\da-f]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .replaceAll('\\/', '/')
