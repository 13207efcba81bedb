/** The formats of a failure that is downloaded as a test. */
export const testFormats = ['vitest', 'shell'] as const

export type TestFormat = (typeof testFormats)[number]
