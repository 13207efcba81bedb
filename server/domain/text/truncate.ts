/**
 * The beginning of a text, for a message. If it ends in half a character, that half is replaced, because JSON must be valid
 * Unicode.
 */
export const truncate = (text: string, maxLength: number): string => text.slice(0, maxLength).toWellFormed()
