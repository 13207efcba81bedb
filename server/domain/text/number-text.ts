/** Whether a text is a number in the notation of JSON, without an exponent. */
export const isStrictNumberText = (text: string): boolean => /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)

/** Whether a text is a number that most languages can read, even with spaces, a plus sign, leading zeros or an exponent. */
export const isNumberText = (text: string): boolean =>
  /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text)
