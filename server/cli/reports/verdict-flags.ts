/** The flags of a command with verdicts. Each is a file, `-` for stdout. */
export const verdictFlags = {
  junit: { kind: 'text', value: '<file>', text: 'write the verdicts as JUnit XML; - is stdout' },
  markdown: { kind: 'text', value: '<file>', text: 'write the verdicts as Markdown; - is stdout' },
} as const
