import { linkKeysOf } from '../client/link-ref.ts'
import { UsageProblem } from '../usage-problem.ts'
import { connect } from './connect.ts'
import { eventLine, print } from './print.ts'
import { readEventType } from './read-event-type.ts'
import { duration, readArguments, wholeNumber } from './read-arguments.ts'

/** Waits for events. What came nearest is told where they do not come. */
export async function wait(args: readonly string[]): Promise<number> {
  const { flags, operands } = readArguments('wait', args)
  const [typeName = '', ...pairs] = operands
  const type = readEventType(typeName)
  const values = readMatch(pairs)
  if (pairs.length > 0) (await import('./accept-words.ts')).acceptWords(type, values)
  const match = Object.assign({ type }, flags.link === undefined ? {} : readLink(flags.link), values)
  const timeoutMs = duration('timeout', flags.timeout) ?? 5_000
  const after = wholeNumber('after', flags.after, 0)
  const count = wholeNumber('count', flags.count, 1, 1000) ?? 1
  const sandbox = await connect(flags)
  const waits = flags.account === undefined ? sandbox : await sandbox.account(flags.account)

  const found = await waits.waitFor(match, {
    count,
    timeoutMs,
    ...(after !== undefined && { after }),
  })
  for (const event of found) print(flags.json, event, () => eventLine(event))
  return 0
}

function readLink(link: string): object {
  try {
    return linkKeysOf(link)
  } catch (error) {
    throw error instanceof TypeError ? new UsageProblem(error.message) : error
  }
}

/** `key=value` pairs as a pattern. A dot leads further in: `link.amount=100`. */
function readMatch(pairs: readonly string[]): Record<string, unknown> {
  const match: Record<string, unknown> = {}
  for (const pair of pairs) {
    const [key = '', value] = pair.split(/=(.*)/s)
    const [first = '', ...inner] = key.split('.')
    if (value === undefined) throw new UsageProblem(`${pair} has no value. Write ${pair}=<value>.`)
    const last = inner.pop()
    if (last === undefined) match[first] = readValue(value)
    else {
      let place = (match[first] ??= {}) as Record<string, unknown>
      for (const step of inner) place = (place[step] ??= {}) as Record<string, unknown>
      place[last] = readValue(value)
    }
  }
  return match
}

/** JSON where it is that, else text. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
