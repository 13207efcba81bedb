import { WaitError } from '../client/explain-wait.ts'
import { SandboxError } from '../contract/sandbox-error.ts'
import type { RouteOf } from '../contract/typed-request.ts'
import type { ControlRoutes } from '../control/control-api.ts'
import { truncate } from '../domain/text/truncate.ts'
import { showInvisible, type ToolAnswer } from './answer.ts'

/** A tool cannot do what the call requests. The message contains no untrusted text. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly untrusted: ToolAnswer['untrusted']

  constructor(message: string, untrusted?: ToolAnswer['untrusted']) {
    super(message)
    this.untrusted = untrusted
  }
}

const MAX_MESSAGE_LENGTH = 1_000

/** For a route of the control API, the tool that has the same effect. */
const TOOLS: Partial<Record<RouteOf<ControlRoutes>, string>> = {
  'GET /accounts': 'sandbox_status',
  'GET /faults': 'sandbox_status',
  'POST /accounts': 'account',
  'GET /deliveries': 'events with list and types ["delivery.queued"]',
  'POST /deliveries/:id/replay': 'payment with replay',
  'PUT /clock': 'settings with set_clock',
  'GET /snapshots': 'use_snapshot with list',
}

const FAULT_ADVICE = 'A fault can cause this: sandbox_status lists faults, settings removes them.'

/** The answer of a tool whose call has failed: what was attempted, what is wrong, and what to do. */
export function explainFailure(tool: string, error: unknown): ToolAnswer {
  const failed = (message: string, untrusted?: ToolAnswer['untrusted']): ToolAnswer => ({
    lines: [`${tool} failed: ${message}`],
    untrusted,
  })
  if (error instanceof ToolError) return failed(oneLine(error.message), error.untrusted)
  if (error instanceof WaitError) {
    return failed('no event matched in time. The data has the closest events and how they differ.', {
      message: error.message,
    })
  }
  // Compares the name of the error, because importing `CheckError` would load its module.
  if (error instanceof Error && error.name === 'CheckError') {
    return failed('the check could not be completed. The data says why.', { message: error.message })
  }
  if (error instanceof SandboxError) {
    const { ResponseMsg, detail } = error.problem
    if (ResponseMsg !== undefined) {
      return failed('the service refused the call. The data has its message.', { ResponseMsg })
    }
    // A response that the sandbox did not write, such as the page of a fault.
    if (error.status !== null && typeof detail !== 'string') {
      return failed(`the answer is not one of the payment service. ${FAULT_ADVICE}`, {
        message: error.message,
      })
    }
  }
  return failed(oneLine(messageOf(error)))
}

/** Messages of these errors quote only values of the call itself. */
function messageOf(error: unknown): string {
  if (!(error instanceof SandboxError)) return error instanceof Error ? error.message : String(error)
  const { detail, reason, remedy, canBeFault } = error
  if (canBeFault) return `${detail} ${FAULT_ADVICE}`
  const tool = remedy && TOOLS[remedy.route as RouteOf<ControlRoutes>]
  return tool === undefined ? detail : `${reason} ${tool} ${remedy?.effect}.`
}

const oneLine = (text: string): string =>
  truncate(showInvisible(text).replaceAll(/\s+/g, ' '), MAX_MESSAGE_LENGTH)
