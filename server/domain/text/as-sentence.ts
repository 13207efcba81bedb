/** Ends a text with a period, unless it is a question, several lines or already a sentence. */
export const asSentence = (text: string): string => (/[.?!]$|\n/.test(text) ? text : `${text}.`)
