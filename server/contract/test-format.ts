/** The formats in which a failure can be downloaded as a test. */
export const testFormats = ['vitest', 'shell'] as const

export type TestFormat = (typeof testFormats)[number]
