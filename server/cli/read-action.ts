import { didYouMeanSentence } from '../domain/text/closest-match.ts'
import { UsageError } from '../domain/text/usage-error.ts'
import type { CommandName } from './command-table.ts'
import { checkOperands } from './read-arguments.ts'

/** The operands that each action of a command needs, by the action's name. */
type Actions = Readonly<Record<string, readonly string[]>>

interface Action<Name> {
  readonly action: Name
  readonly operands: readonly string[]
}

/**
 * Reads the action of a command such as `refund approve 1001`. Without one, it is the first of `actions`.
 * Throws a `UsageError` if the action is unknown, or if an operand is missing or superfluous.
 */
export function readAction<const Known extends Actions>(
  command: CommandName,
  given: readonly string[],
  actions: Known,
): Action<keyof Known & string> {
  const names = Object.keys(actions)
  const [action = names[0]!, ...operands] = given
  const needed = actions[action]
  if (needed === undefined) {
    throw new UsageError(
      `${command} has no action ${action}.${didYouMeanSentence(action, names)} Its actions are ${names.join(', ')}.`,
    )
  }
  const line = `${command} ${action}`
  checkOperands(line, ['paylink-sandbox', line, ...needed].join(' '), needed, operands)
  return { action, operands }
}
