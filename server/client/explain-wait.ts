import { SandboxError } from '../contract/sandbox-error.ts'

interface NearMiss {
  readonly event: { readonly seq: number; readonly type: string }
  readonly differences: readonly { readonly key: string; readonly wanted: unknown; readonly found: unknown }[]
}

/** A wait timed out, or an unexpected event happened. The message lists the events that match best. */
export class WaitError extends SandboxError {
  override readonly name = 'WaitError'
}

/** Throws the error of a failed wait as a `WaitError` that lists the events that match best. Rethrows every other error. */
export function throwWaitError(error: unknown): never {
  if (!(error instanceof SandboxError) || (error.status !== 408 && error.status !== 409)) throw error
  const { nearest = [], found } = error.problem
  const misses = nearest as NearMiss[]
  const lines = [
    // If several events are listed, the first sentence of the error need not mention one of them.
    misses.length === 0 ? error.detail : `${error.reason} The closest events:`,
    ...misses.flatMap(describeNearMiss),
    ...((found as NearMiss['event'][] | undefined) ?? []).map((event) => `  ${summarize(event)}`),
  ]
  throw new WaitError(lines.join('\n'), error.request, error.status, error.problem)
}

/** Describes how an event differs from the match. If the type differs, mentions only the type. */
function describeNearMiss({ event, differences }: NearMiss): string[] {
  const shown = differences.some(({ key }) => key === 'type') ? [] : differences
  return [
    `  #${event.seq} ${event.type}`,
    ...shown.map(
      ({ key, wanted, found }) => `      ${key}: wanted ${toJson(wanted)}, found ${toJson(found)}`,
    ),
  ]
}

function summarize(event: NearMiss['event']): string {
  const { seq, type, ...rest } = event
  return `#${seq} ${type} ${JSON.stringify(rest).slice(0, 300)}`
}

const toJson = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))
