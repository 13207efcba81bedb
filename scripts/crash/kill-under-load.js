import { createCaller } from './caller.js'
import { collectErrors } from './collect-errors.js'
import { followStream } from './follow-stream.js'
import { inTime } from './in-time.js'
import { makePayments } from './load.js'

/**
 * Sends load until there are enough answers. Then kills the sandbox, some milliseconds later.
 *
 * @param {ReturnType<typeof import('../spawn-sandbox.js').spawnSandbox> & { url: string }} sandbox
 * @param {Pick<import('./load.js').LoadContext, 'expected' | 'random' | 'origin'>} load
 * @param {{ answers: number, ms: number, stops: boolean }} kill `stops`: it gets SIGTERM before
 */
export async function killUnderLoad(sandbox, load, { answers, ms, stops }) {
  const { url, child } = sandbox
  const { expected, random } = load
  const { problems } = expected
  let isOver = false
  let isKilled = false
  let remaining = answers
  const stream = followStream(url, random.chance(0.5) ? expected.stream.last : 0, expected)
  const caller = createCaller(
    url,
    (isAnswered) => {
      if (isAnswered) expected.answers++
      else expected.unanswered++
      if (isAnswered && --remaining === 0) void kill()
    },
    (what) => void problems.push(what),
  )
  async function kill() {
    isKilled = true
    if (stops) child.kill('SIGTERM')
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
    isOver = true
    await sandbox.end('SIGKILL')
  }
  const closed = sandbox.closed.then(() => {
    isOver = true
    if (isKilled) return
    problems.push(`The sandbox exited by itself, with ${child.exitCode ?? child.signalCode}.`)
  })
  try {
    const all = Promise.all([makePayments({ ...load, caller, url, isOver: () => isOver }), closed])
    await inTime(all, `The sandbox hangs: ${remaining} of ${answers} answers are missing.`)
  } finally {
    isKilled = isOver = true
    await sandbox.end('SIGKILL')
    collectErrors(sandbox, problems)
    await caller.close()
    stream.terminate()
  }
}
