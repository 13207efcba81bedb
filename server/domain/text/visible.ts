/**
 * Control characters, and characters that change the direction of a text. A terminal obeys them, so a received text could move the
 * cursor, hide itself or look like another one.
 */
// eslint-disable-next-line no-control-regex
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Writes such characters as `\u001b`. Line breaks and tabs remain. Inside a text of JSON, the meaning stays the same. */
export const visible = (text: string): string =>
  text.replace(INVISIBLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Also writes line breaks and tabs so, for a text that must stay on its line. */
export const visibleLine = (text: string): string =>
  visible(text).replace(/[\n\t]/g, (character) => (character === '\n' ? '\\n' : '\\t'))
