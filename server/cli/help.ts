import { behaviorNames, optionTexts } from '../domain/behavior.ts'
import { flags, type Flag } from '../flags.ts'

export function help(): string {
  const flagLines = Object.entries<Flag>(flags).map(([name, { value, text }]) =>
    line(`--${name}${value === undefined ? '' : ` ${value}`}`, text),
  )
  const behaviorLines = behaviorNames
    .filter((name) => optionTexts(name).length > 1)
    .map((name) => line(name, optionTexts(name).join(' | ')))

  return [
    'paylink-sandbox: the Payment Link Service API, version 2, on this machine',
    '',
    'Usage: paylink-sandbox [start] [flags]',
    '',
    'Flags, each also as PAYLINK_<NAME> or in paylink.config.ts, .js, .mjs or .json:',
    ...flagLines,
    line('--help', 'print this'),
    line('--version', 'print the version'),
    '',
    'Behaviors, the default first:',
    ...behaviorLines,
    '',
  ].join('\n')
}

const line = (left: string, right: string): string => `  ${left.padEnd(28)}${right}`
