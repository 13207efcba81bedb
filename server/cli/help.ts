import { behaviorNames, listOptions } from '../domain/behaviors/behavior.ts'
import { groupOpenPoints } from '../domain/behaviors/open-point-groups.ts'
import { behaviors } from '../domain/behaviors/open-points.ts'
import { eventTypes } from '../domain/events/event-fields.ts'
import {
  commandGroups,
  commands,
  usageOf,
  type Actions,
  type Command,
  type CommandName,
} from './command-table.ts'

/** The general help. */
export function help(): string {
  return [
    'paylink-sandbox: a local sandbox of the Payment Link Service API, version 2',
    '',
    'Usage: paylink-sandbox [command] [flags]',
    '',
    ...Object.entries(commandGroups).flatMap(([task, names]) => [
      `${task}:`,
      ...names.map((name) => line(name, commands[name].text)),
      '',
    ]),
    line('help <command>', 'prints the flags and examples of a command; so does <command> --help'),
    '',
    ...startLines(),
    '',
  ].join('\n')
}

/** The help of one command. */
export function helpFor(name: CommandName): string {
  const { text, actions, flags, operands, examples, exitCodes = EXIT_CODES }: Command = commands[name]
  const flagLines = Object.entries(flags).map(([flag, { value, text: does }]) =>
    line(`--${flag}${value === undefined ? '' : ` ${value}`}`, does),
  )
  return [
    `Usage: ${usageOf(name)}`,
    '',
    `${text[0]!.toUpperCase()}${text.slice(1)}.`,
    '',
    ...(actions === undefined ? [] : ['Actions:', ...actionLines(actions), '']),
    ...(name === 'start' ? startLines() : ['Flags, with defaults in parentheses:', ...flagLines]),
    ...(operands.some((operand) => /link/.test(operand)) || 'link' in flags
      ? ['', '<link> is an id, a link_id, pay:<pay_id>, or a whole pay link.']
      : []),
    ...(operands.includes('<delivery>')
      ? ['', '<delivery> is the number after Webhook in the output of pay and events.']
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

const EXIT_CODES = '0: success. 1: failed or timed out. 2: usage error, or no sandbox reachable.'

function startLines(): string[] {
  return [
    'Flags of start, with defaults in parentheses. Each can also be set in paylink.config.ts, or by a variable: PAYLINK_',
    'and its name in capitals, with _ for -. The variable of --admin-token is PAYLINK_ADMIN_TOKEN.',
    ...Object.entries<Command['flags'][string]>(commands.start.flags).map(([name, { value, text }]) =>
      line(`--${name}${value === undefined ? '' : ` ${value}`}`, text),
    ),
    line('--help', 'print this'),
    line('--version', 'print the version'),
    '',
    'Behaviors, the default first. The guide on undocumented behavior explains them.',
    ...groupOpenPoints(behaviorNames.map((name) => ({ name, group: behaviors[name].group }))).flatMap(
      ({ title, points }) => [
        `  ${title}:`,
        ...points.map(({ name }) => line(`  ${name}`, listOptions(name).join(' | '))),
      ],
    ),
  ]
}

const actionLines = (actions: Actions): string[] =>
  Object.entries(actions).map(([action, { operands, text }]) => line([action, ...operands].join(' '), text))

/** One line for each subject: `link.created link.paid link.cancelled`. */
function typeLines(): string[] {
  const nouns = [...new Set(eventTypes.map((type) => type.split('.')[0]!))]
  return nouns.map((noun) => `  ${eventTypes.filter((type) => type.startsWith(`${noun}.`)).join(' ')}`)
}

const line = (left: string, right: string): string => `  ${left.padEnd(31)}${right}`
