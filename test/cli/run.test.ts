import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { run } from '../../server/cli/run.ts'
import type { CliIo } from '../../server/cli/io.ts'
import { temporaryFolder } from '../support/process.ts'
import { openSandbox } from '../support/sandbox.ts'

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

test('a command runs in this process, with the environment and output that it is given', async () => {
  await using sandbox = await openSandbox()
  const { io, output } = outputOf({ env: { PAYLINK_URL: sandbox.url } })

  expect(await run(['create', '--amount', '5'], io)).toBe(0)
  expect(output).toEqual({
    stdout: `Link 1001 of Flower Shop: €5.00\n${sandbox.url}/payment?link_id=MTAwMQ%3D%3D\n`,
    stderr: '',
  })
  expect(await run(['pay', '7'], io)).toBe(2)
  expect(output.stderr).toContain('There is no payment link 7.')
})

test('start serves until a signal, in the folder that it is given', async () => {
  using folder = temporaryFolder()
  const signals = new EventEmitter()
  const { io, output } = outputOf({ cwd: folder.path, signals, onServing: () => signals.emit('SIGINT') })

  expect(await run(['start', '--port', '0', '--quiet'], io)).toBe(0)
  expect(output).toEqual({ stdout: expect.stringMatching(/^Sandbox listening on http:\S+\n$/), stderr: '' })
  expect(signals.eventNames()).toEqual([])
})

test('a second signal ends the run at once', async () => {
  await using sandbox = await openSandbox()
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

test('exec passes input to its command, and output from it', async () => {
  const { io, output } = outputOf()
  const script = 'console.log(process.env.PAYLINK_URL.length > 0); console.error("€")'
  expect(await run(['exec', '--quiet', '--', process.execPath, '-e', script], io)).toBe(0)
  expect(output).toEqual({ stdout: 'true\n', stderr: '€\n' })
})
