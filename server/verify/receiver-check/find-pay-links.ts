import { decodeEscapes } from '../../domain/text/decode-escapes.ts'

/**
 * The pay links in a page, a JSON document or an address, each once. Template engines write `/` and `=` as `&#x2F;` and
 * `&#x3D;`, JSON encoders as `\/` and `\u003d`.
 */
export const findPayLinks = (text: string): string[] => [
  ...new Set(decodeEscapes(text).match(/https?:\/\/[^\s"'<>\\]+\/payment\?link_id=[\w%+/=-]+/g) ?? []),
]
