import { SandboxError } from './request.ts'

interface NearMiss {
  readonly event: { readonly seq: number; readonly type: string }
  readonly differences: readonly { readonly key: string; readonly wanted: unknown; readonly found: unknown }[]
}

/** Something was waited for and did not come, or came and should not have. The message tells what was there instead. */
export class WaitError extends SandboxError {
  override readonly name = 'WaitError'
}

/** Turns the answer to a wait in vain into an error whose message shows the mistake. Passes on every other error. */
export function throwWaitError(error: unknown): never {
  if (!(error instanceof SandboxError) || (error.status !== 408 && error.status !== 409)) throw error
  const { detail, nearest = [], found } = error.problem
  const misses = nearest as NearMiss[]
  const text = typeof detail === 'string' ? detail : error.message
  const lines = [
    // Where they are listed, the detail need not tell the first of them.
    misses.length === 0 ? text : text.replace(/ The nearest .*$/s, ' The nearest:'),
    ...misses.flatMap(describeNearMiss),
    ...((found as NearMiss['event'][] | undefined) ?? []).map((event) => `  ${summarize(event)}`),
  ]
  throw new WaitError(lines.join('\n'), error.request, error.status, error.problem)
}

/** Of an event of another type, the type is all that matters. */
function describeNearMiss({ event, differences }: NearMiss): string[] {
  const told = differences.some(({ key }) => key === 'type') ? [] : differences
  return [
    `  #${event.seq} ${event.type}`,
    ...told.map(({ key, wanted, found }) => `      ${key}: wanted ${toJson(wanted)}, found ${toJson(found)}`),
  ]
}

function summarize(event: NearMiss['event']): string {
  const { seq, type, ...rest } = event
  return `#${seq} ${type} ${JSON.stringify(rest).slice(0, 300)}`
}

const toJson = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))
