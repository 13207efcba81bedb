/** The flags of a command that gives verdicts. Each takes a file; `-` is stdout. */
export const verdictFlags = {
  junit: { kind: 'text', value: '<file>', text: 'keep the verdicts as JUnit XML; - is stdout' },
  markdown: { kind: 'text', value: '<file>', text: 'keep the verdicts as Markdown; - is stdout' },
} as const
