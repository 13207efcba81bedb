import { setFlagsFromString } from 'node:v8'
import { connectToParent } from './background/connect-to-parent.ts'
import { endWithNpx } from './end-with-npx.ts'
import { run } from './run.ts'

// The entry point of the process. The logic is in `run`, which tests also call.

const args = process.argv.slice(2)

/** Whether this process serves a sandbox, which should continue if its log cannot be written. */
let isServing = false

/**
 * If the reader closes stdout, as `head` does, a command that only lists something ends, and other commands finish their work. If
 * the disk with the log is full, a sandbox continues without a log.
 */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && !isServing) throw error
    if (stream === process.stdout && args[0] === 'events') process.exit(0)
  })
}

const parent = connectToParent(process)
// A sandbox in the background outlives npx on purpose.
if (parent === undefined) endWithNpx(process.env)

const code = await run(args, {
  stdout: process.stdout,
  stderr: process.stderr,
  ...parent,
  stdin: 'inherit',
  env: process.env,
  signals: process,
  // A sandbox may run all day next to an app and its tools. Without this limit, V8 lets the heap grow to twice the necessary size
  // before it collects garbage. A lower limit would make calls slower.
  onServing() {
    isServing = true
    setFlagsFromString('--heap-growing-percent=60')
  },
})

const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => void stream.write('', () => resolve()))

await Promise.all([process.stdout, process.stderr].map(flushed))
// Ends the process even if a configuration file has left a timer or a connection open.
process.exit(code)
