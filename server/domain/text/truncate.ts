/** The beginning of a text, for a message. Half a character at the end is replaced, because JSON must be valid Unicode. */
export const truncate = (text: string, maxLength: number): string => text.slice(0, maxLength).toWellFormed()
