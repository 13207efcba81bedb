import { WaitError } from '../client/explain-wait.ts'
import { SandboxError, type FieldError } from '../contract/sandbox-error.ts'
import type { RouteOf } from '../contract/typed-request.ts'
import type { ControlRoutes } from '../control/control-api.ts'
import type { Remedy } from '../domain/http/control-route.ts'
import { asSentence } from '../domain/text/as-sentence.ts'
import { UsageError } from '../domain/text/usage-error.ts'

/** For a route of the control API, the command that has the same effect. */
const COMMANDS: Partial<Record<RouteOf<ControlRoutes>, (param: Remedy['param']) => string>> = {
  'GET /accounts': () => 'accounts',
  'POST /accounts': () => 'accounts create',
  'GET /deliveries': () => 'events --type delivery.attempted',
  'POST /deliveries/:id/replay': (param) => `replay ${param?.id}`,
  'GET /faults': () => 'faults',
  'GET /snapshots': () => 'snapshot',
  'PUT /clock': () => 'clock set',
}

const FAULT_ADVICE =
  'A fault can cause this: `npx paylink-sandbox faults` lists faults, `npx paylink-sandbox faults clear` removes them.'

/**
 * The text of an expected error, without terms of HTTP or of the Node API. With `isJson`, it keeps method, path and status, for
 * programs. `undefined` for an unexpected error.
 */
export function explainError(error: unknown, isJson: boolean): string | undefined {
  if (!(error instanceof SandboxError)) return isUsageError(error) ? (error as Error).message : undefined
  if (isJson || error instanceof WaitError) return error.message
  const { detail, reason, remedy, errors, canBeFault } = error
  if (canBeFault) return `${detail} ${FAULT_ADVICE}`
  const command = remedy && COMMANDS[remedy.route as RouteOf<ControlRoutes>]?.(remedy.param)
  if (command !== undefined) return `${reason} \`npx paylink-sandbox ${command}\` ${remedy?.effect}.`
  const [first] = errors
  return asSentence(first === undefined || first.path === '' ? detail : nameField(first))
}

/** The message of a field error starts with a lowercase letter, so that it can follow the name of the field. */
const nameField = ({ path, message }: FieldError): string =>
  `${path.split('.').findLast((step) => !/^\d+$/.test(step))} ${message}`

/** Statuses of an invalid request. Any other error status means that a valid request could not be carried out. */
const WRONG_REQUEST = new Set([400, 401, 403, 405, 413, 415, 422])

/** 1 if a valid request failed, 2 for a usage error or an unreachable sandbox, `undefined` for an unexpected error. */
export function exitCodeOf(error: unknown): 1 | 2 | undefined {
  if (!(error instanceof SandboxError)) return isUsageError(error) ? 2 : undefined
  if (error.status === null) return error.canBeFault ? 1 : 2
  return WRONG_REQUEST.has(error.status) ? 2 : 1
}

/** Compares the name of the class, because importing `CheckError` would load its whole module. */
const isUsageError = (error: unknown): boolean =>
  error instanceof UsageError || (error instanceof Error && error.name === 'CheckError')
