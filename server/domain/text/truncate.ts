/** The beginning of a text, for a message. A character that the cut goes through is replaced, as JSON must be Unicode. */
export const excerpt = (text: string, length: number): string => text.slice(0, length).toWellFormed()
