import type { FlagsOf } from '../command.ts'
import type { verdictFlags } from '../reports/verdict-flags.ts'

export const DEFAULT_RUN_TIMEOUT = '10m'

/** The flags that make `exec` run its command several times. */
export const matrixFlags = {
  matrix: {
    kind: 'text',
    value: '[<name>[=<value>],…]',
    bare: 'all',
    text: 'run the command once with the default options and once with each other option of these behaviors, and report which options break it (all behaviors)',
  },
  pairs: {
    kind: 'text',
    value: '<name>[=<value>],…',
    text: 'like --matrix for these behaviors, and also with each pair of their options',
  },
  jobs: {
    kind: 'text',
    value: '<n>',
    text: 'number of simultaneous runs (number of cores)',
  },
  timeout: {
    kind: 'text',
    value: '<time>',
    text: `how long one run may take (${DEFAULT_RUN_TIMEOUT})`,
  },
} as const

/** The flags of `exec` that the matrix uses. */
export interface MatrixFlags extends FlagsOf<typeof matrixFlags & typeof verdictFlags> {
  readonly report: string | undefined
  readonly har: string | undefined
  readonly json: boolean
  readonly verbose: boolean
}
