import { behaviorNames, listOptions } from '../domain/behaviors/behavior.ts'
import { eventTypes } from '../domain/events/event-fields.ts'
import { commandGroups, commands, usageOf, type Command, type CommandName } from './command-table.ts'

/** The general help. */
export function help(): string {
  return [
    'paylink-sandbox: the Payment Link Service API, version 2, on this machine',
    '',
    'Usage: paylink-sandbox [command] [flags]',
    '',
    ...Object.entries(commandGroups).flatMap(([task, names]) => [
      `${task}:`,
      ...names.map((name) => line(name, commands[name].text)),
      '',
    ]),
    line('help <command>', 'print the flags of one; so does <command> --help'),
    '',
    ...startLines(),
    '',
  ].join('\n')
}

/** The help of one command. */
export function helpFor(name: CommandName): string {
  const { text, flags, operands, examples, exitCodes = EXIT_CODES }: Command = commands[name]
  const flagLines = Object.entries(flags).map(([flag, { value, text: does }]) =>
    line(`--${flag}${value === undefined ? '' : ` ${value}`}`, does),
  )
  return [
    `Usage: ${usageOf(name)}`,
    '',
    `It ${text}.`,
    '',
    ...(name === 'start' ? startLines() : ['Flags:', ...flagLines]),
    ...(operands.includes('<link>') || 'link' in flags
      ? ['', '<link> is an id, a link_id, pay:<pay_id>, or a whole pay link.']
      : []),
    ...(name === 'wait' || name === 'events' ? ['', 'Types of events:', ...typeLines()] : []),
    '',
    'Examples:',
    ...examples.map((example) => `  paylink-sandbox ${example}`),
    '',
    `Exit codes: ${exitCodes}`,
    '',
  ].join('\n')
}

const EXIT_CODES =
  '0 for success, 1 if it failed or timed out, 2 for a usage error or if no sandbox is reachable.'

function startLines(): string[] {
  return [
    'Flags of start, each also as PAYLINK_<NAME> or in paylink.config.ts, .js, .mjs or .json:',
    ...Object.entries<Command['flags'][string]>(commands.start.flags).map(([name, { value, text }]) =>
      line(`--${name}${value === undefined ? '' : ` ${value}`}`, text),
    ),
    line('--help', 'print this'),
    line('--version', 'print the version'),
    '',
    'Behaviors, the default first:',
    ...behaviorNames
      .filter((name) => listOptions(name).length > 1)
      .map((name) => line(name, listOptions(name).join(' | '))),
  ]
}

/** One line for each subject: `link.created link.paid link.cancelled`. */
function typeLines(): string[] {
  const nouns = [...new Set(eventTypes.map((type) => type.split('.')[0]!))]
  return nouns.map((noun) => `  ${eventTypes.filter((type) => type.startsWith(`${noun}.`)).join(' ')}`)
}

const line = (left: string, right: string): string => `  ${left.padEnd(31)}${right}`
