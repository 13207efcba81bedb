import { FAULT_HINT } from '../client/api.ts'
import { SandboxError } from '../contract/sandbox-error.ts'
import { UsageError } from '../domain/text/usage-error.ts'

/** Routes that errors of the control API mention, and the commands that do the same in a terminal. */
const COMMANDS: readonly (readonly [route: RegExp, command: string])[] = [
  [/GET \/_sandbox\/v1\/accounts\b/g, '`paylink-sandbox accounts`'],
  [/GET \/_sandbox\/v1\/deliveries\b/g, '`paylink-sandbox events --type delivery.attempted`'],
  [/GET \/_sandbox\/v1\/faults\b/g, '`paylink-sandbox faults`'],
  [/GET \/_sandbox\/v1\/snapshots\b/g, '`paylink-sandbox snapshot`'],
  [/POST \/_sandbox\/v1\/deliveries\/(\d+)\/replay\b/g, '`paylink-sandbox replay $1`'],
  [/PUT \/_sandbox\/v1\/clock\b/g, '`paylink-sandbox clock set`'],
  [/\bPOST \/api\/v2\/(?=\w+ (?:got|was) )/g, ''],
]

const FAULT_ADVICE =
  'A fault can cause this: `paylink-sandbox faults` lists faults, `paylink-sandbox faults clear` removes them.'

/**
 * The text of an expected error, without the words of HTTP and of the handle. With `isJson` it keeps method, path and
 * status, because programs read it. `undefined` for an unexpected error.
 */
export function explainError(error: unknown, isJson: boolean): string | undefined {
  if (!(error instanceof SandboxError)) return isUsageError(error) ? (error as Error).message : undefined
  if (isJson) return error.message
  const prefix = `${error.request} ${error.status}: `
  const text = withoutField(error.message.replace(prefix, ''))
  const plain = COMMANDS.reduce((rest, [route, command]) => rest.replaceAll(route, command), text)
  return withPeriod(plain.replace(FAULT_HINT, FAULT_ADVICE))
}

/** `script in the body: There is no …` becomes `There is no …`, and `times in the body: should be …` keeps the name. */
const withoutField = (text: string): string =>
  text.replace(/^([\w.]+) in the (?:body|query): (?=(\w))/, (_all, path: string, next: string) =>
    next === next.toUpperCase() ? '' : `${path.split('.').findLast((step) => !/^\d+$/.test(step))} `,
  )

/** Adds a period to a single line. A text of several lines ends with a list. */
const withPeriod = (text: string): string => (/[.?!]$|\n/.test(text) ? text : `${text}.`)

/** Statuses of a wrong request. Any other request was valid, but the sandbox could not fulfil it. */
const WRONG_REQUEST = new Set([400, 401, 403, 405, 413, 415, 422])

/** 1 if a valid request failed, 2 for a usage error or an unreachable sandbox, `undefined` for an unexpected error. */
export function exitCodeOf(error: unknown): 1 | 2 | undefined {
  if (!(error instanceof SandboxError)) return isUsageError(error) ? 2 : undefined
  if (error.status === null) return error.message.endsWith(FAULT_HINT) ? 1 : 2
  return WRONG_REQUEST.has(error.status) ? 2 : 1
}

/** Compares the name, so that the module of `CheckError` is not loaded for this. */
const isUsageError = (error: unknown): boolean =>
  error instanceof UsageError || (error instanceof Error && error.name === 'CheckError')
