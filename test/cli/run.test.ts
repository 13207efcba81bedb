import { EventEmitter } from 'node:events'
import { expect } from 'vitest'
import { run } from '../../server/cli/run.ts'
import type { CliIo } from '../../server/cli/io.ts'
import { test } from '../support/test.ts'

function outputOf(rest: Partial<CliIo> = {}) {
  const output = { stdout: '', stderr: '' }
  const io: CliIo = {
    stdout: { write: (text) => (output.stdout += text) },
    stderr: { write: (text) => (output.stderr += text) },
    env: {},
    ...rest,
  }
  return { io, output }
}

test('run: uses the environment and the output that the caller passes', async ({ sandbox }) => {
  const { io, output } = outputOf({ env: { PAYLINK_URL: sandbox.url } })

  expect(await run(['create', '--amount', '5'], io)).toBe(0)
  expect(output).toEqual({
    stdout: `Link 1001 of Flower Shop: €5.00\n${sandbox.url}/payment?link_id=MTAwMQ%3D%3D\n`,
    stderr: '',
  })
  expect(await run(['pay', '7'], io)).toBe(1)
  expect(output.stderr).toContain('There is no payment link 7.')
})

test('run: start serves until a signal, in the given folder', async ({ folder }) => {
  const signals = new EventEmitter()
  const { io, output } = outputOf({ cwd: folder.path, signals, onServing: () => signals.emit('SIGINT') })

  expect(await run(['start', '--port', '0', '--quiet'], io)).toBe(0)
  expect(output).toEqual({ stdout: expect.stringMatching(/^Sandbox listening on http:\S+\n$/), stderr: '' })
  expect(signals.eventNames()).toEqual([])
})

test('run: ends at once on a second signal', async ({ sandbox }) => {
  const signals = new EventEmitter()
  const { io } = outputOf({ env: { PAYLINK_URL: sandbox.url }, signals })
  await sandbox.createLink()
  const code = run(['events', '--follow'], {
    ...io,
    stdout: {
      write() {
        signals.emit('SIGTERM')
        signals.emit('SIGTERM')
      },
    },
  })
  expect(await code).toBe(143)
})

test('run: exec passes stdin to its command, and returns the output', async () => {
  const { io, output } = outputOf()
  const script = 'console.log(process.env.PAYLINK_URL.length > 0); console.error("€")'
  expect(await run(['exec', '--quiet', '--', process.execPath, '-e', script], io)).toBe(0)
  expect(output).toEqual({ stdout: 'true\n', stderr: '€\n' })
})
