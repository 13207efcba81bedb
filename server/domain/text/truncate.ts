/** The beginning of a text, for a message. A character that the cut goes through is replaced, as JSON must be Unicode. */
export const truncate = (text: string, maxLength: number): string => text.slice(0, maxLength).toWellFormed()
