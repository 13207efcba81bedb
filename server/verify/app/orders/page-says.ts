import { decodeEscapes } from '../../../domain/text/decode-escapes.ts'

/** Whether readers see a text on a page. The HTML may escape characters such as `'`, and break lines. */
export const pageSays = (page: string, text: string): boolean =>
  page.includes(text) || withSpaces(decodeEscapes(page)).includes(withSpaces(text))

const withSpaces = (text: string): string => text.replace(/\s+/g, ' ')

/** Whether an address contains a text. Anyone who knows such an address knows the text. */
export const isInAddress = (address: string, text: string): boolean =>
  address.includes(text) || address.includes(encodeURIComponent(text))

/** The text that readers of a page see, without markup, comments, scripts and templates. */
export const visibleText = ({ text }: { readonly text: string }): string =>
  text
    .replace(/<!--[^]*?-->|<(style|script|template|noscript)\b[^]*?<\/\1\s*>|<[^>]*>/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()

export const PAID = /(?<!\b(not|nicht|never)( yet)?( been?)? )\b(paid|bezahlt|payée?|betaald)\b/i

/** Whether a text names a price, such as 29.99 or 29,99. */
export const showsPrice = (text: string, price: number): boolean =>
  new RegExp(String.raw`(?<![\d.,])${price.toFixed(2).replace('.', '[.,]')}(?!\d)`).test(text)

/** The sentences that readers of a page see. */
export const sentencesOf = ({ text }: { readonly text: string }): readonly string[] =>
  visibleText({ text: text.replaceAll(/<\/(?:p|li|h\d|div|td|button|a)>/gi, '. $&') })
    .split(/[.!]|(?<=\?)/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
