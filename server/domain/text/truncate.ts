/**
 * The beginning of a text, for a message. JSON must be valid Unicode, so a character that the cut splits is replaced.
 */
export const truncate = (text: string, maxLength: number): string => text.slice(0, maxLength).toWellFormed()
