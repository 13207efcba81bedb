/** The result of one case. */
export interface CaseVerdict {
  readonly name: string
  readonly group: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly ms: number
  /** What is wrong, or why the case was skipped, in one line. */
  readonly message?: string
  /** Further lines that explain the message. */
  readonly details?: string
  /** A command that repeats this case. */
  readonly repeat?: string
}

export const countOf = (verdicts: readonly CaseVerdict[], outcome: CaseVerdict['outcome']): number =>
  verdicts.filter((verdict) => verdict.outcome === outcome).length

/** `29 passed, 2 failed, 1 skipped` */
export const summaryOf = (verdicts: readonly CaseVerdict[]): string =>
  (['passed', 'failed', 'skipped'] as const)
    .map((outcome) => ({ outcome, count: countOf(verdicts, outcome) }))
    .filter(({ outcome, count }) => outcome === 'passed' || count > 0)
    .map(({ outcome, count }) => `${count} ${outcome}`)
    .join(', ')

/** `Interrupted: 1 of 34 tried.` */
export const interruptedText = (tried: number, all: number): string =>
  `Interrupted: ${tried} of ${all} tried.`

/** What follows the message of a verdict: its details, and the command that repeats it. */
export const explanationOf = ({ details, repeat }: CaseVerdict): string =>
  [details, repeat === undefined ? undefined : `Repeat: ${repeat}`]
    .filter((line) => line !== undefined)
    .join('\n')
