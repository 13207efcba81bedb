/**
 * Matches invisible characters: controls, and characters that hide a text or change its direction. A terminal obeys some of them,
 * so a received text could move the cursor or look like a different text. U+200D is not included, because it joins emoji.
 */
export const INVISIBLE = /(?![\t\n\u200d])[\p{C}\p{Zl}\p{Zp}]/gu

/** Writes invisible characters as escapes such as `\u001b`. Keeps line breaks and tabs. JSON keeps its meaning. */
export const visible = (text: string): string => text.replace(INVISIBLE, escaped)

const escaped = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** Like `visible`, but also escapes line breaks and tabs, for a text that must stay on one line. */
export const visibleLine = (text: string): string =>
  visible(text).replace(/[\n\t]/g, (character) => (character === '\n' ? '\\n' : '\\t'))

/** A value for an error message, with invisible characters and unusual spaces escaped. */
export const visibleValue = (value: string): string => visibleLine(value).replace(/(?! )\p{Zs}/gu, escaped)
