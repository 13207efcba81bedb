/** Ends a text with a period, unless it is a question, has several lines or already is a sentence. */
export const asSentence = (text: string): string => (/[.?!]$|\n/.test(text) ? text : `${text}.`)
