import { didYouMeanSentence } from '../domain/text/closest-match.ts'
import { UsageError } from '../domain/text/usage-error.ts'
import { commands, type ActingCommand, type Actions } from './command-table.ts'
import { checkOperands } from './read-arguments.ts'

interface Action<Name> {
  readonly action: Name
  readonly operands: readonly string[]
}

/**
 * Reads the action of a command such as `refund approve 1001` by the table of commands. Without one, it is the first in the
 * table. Throws a `UsageError` if the action is unknown, or if an operand is missing or superfluous.
 */
export function readAction<Name extends ActingCommand>(
  command: Name,
  given: readonly string[],
): Action<keyof (typeof commands)[Name]['actions'] & string> {
  const actions: Actions = commands[command].actions
  const names = Object.keys(actions)
  const [action = names[0]!, ...operands] = given
  const needed = actions[action]?.operands
  if (needed === undefined) {
    throw new UsageError(
      `${command} has no action ${action}.${didYouMeanSentence(action, names)} Its actions are ${names.join(', ')}.`,
    )
  }
  const line = `${command} ${action}`
  checkOperands(line, ['paylink-sandbox', line, ...needed].join(' '), needed, operands)
  return { action: action as keyof (typeof commands)[Name]['actions'] & string, operands }
}
