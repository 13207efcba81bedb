/** The flags of commands that write reports. Their value is a file name, or `-` for stdout. */
export const verdictFlags = {
  junit: { kind: 'text', value: '<file>', text: 'write the verdicts as JUnit XML; - is stdout' },
  markdown: { kind: 'text', value: '<file>', text: 'write the verdicts as Markdown; - is stdout' },
} as const
