import { usageOf, type Actions, type Command, type Flags } from './command.ts'
import { commandGroups, loadCommand, type CommandName } from './commands.ts'

/** The help of `paylink-sandbox --help`: all commands, and the flags of `start`. */
export async function generalHelp(): Promise<string> {
  const tasks = await Promise.all(
    Object.entries(commandGroups).map(async ([task, loaders]) => {
      const lines = Object.keys(loaders).map(async (name) =>
        line(name, (await loadCommand(name as CommandName)).text),
      )
      return [`${task}:`, ...(await Promise.all(lines)), '']
    }),
  )
  const { flags, notes } = await loadCommand('start')
  return [
    'paylink-sandbox: a local sandbox of the Payment Link Service API, version 2',
    '',
    'Usage: npx paylink-sandbox [command] [flags]',
    '',
    ...tasks.flat(),
    line('help <command>', 'show the examples and flags of a command, like <command> --help'),
    line('--help', 'print this help'),
    line('--version', 'print the version'),
    '',
    ...flagLines(flags),
    ...paragraphs(notes?.()),
  ].join('\n')
}

/** The help of one command. */
export function helpOf(name: CommandName, command: Command): string {
  const { text, actions, flags, examples, notes, exitCodes = EXIT_CODES } = command
  return [
    `${text[0]!.toUpperCase()}${text.slice(1)}.`,
    '',
    `Usage: ${usageOf(name, command)}`,
    '',
    'Examples:',
    ...examples.map((example) => `  npx paylink-sandbox ${example}`),
    '',
    ...(actions === undefined ? [] : ['Actions:', ...actionLines(actions), '']),
    ...flagLines(flags),
    ...paragraphs(notes?.()),
    `Exit codes: ${exitCodes}`,
    '',
  ].join('\n')
}

const EXIT_CODES = '0: success. 1: failed or timed out. 2: usage error, or no sandbox reachable.'

/** The flags below their headings. Flags without a group come first. */
function flagLines(flags: Flags): string[] {
  const all = Object.entries(flags)
  const headings = new Set(['Flags', ...all.flatMap(([, { group }]) => group ?? [])])
  const groups = [...headings].flatMap((heading) => {
    const members = all.filter(([, { group = 'Flags' }]) => group === heading)
    const lines = members.map(([name, { value, text }]) =>
      line(`--${name}${value === undefined ? '' : ` ${value}`}`, text),
    )
    return lines.length === 0 ? [] : [[heading, lines] as const]
  })
  return groups.flatMap(([heading, lines], index) => [
    `${heading}${index === 0 ? ', with defaults in parentheses' : ''}:`,
    ...lines,
    '',
  ])
}

const actionLines = (actions: Actions): string[] =>
  Object.entries(actions).map(([action, { operands, text }]) => line([action, ...operands].join(' '), text))

const paragraphs = (notes: readonly (readonly string[])[] = []): string[] =>
  notes.flatMap((lines) => [...lines, ''])

const line = (left: string, right: string): string => `  ${left.padEnd(31)}${right}`
