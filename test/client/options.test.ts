import { createServer } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startSandbox, type SandboxOptions } from '../../server/index.ts'

test.each<[options: unknown, message: string]>([
  [{ prot: 1 }, 'startSandbox has an unknown key prot. Did you mean port?'],
  [{ behaviors: { payid: 'same' } }, 'startSandbox has an unknown key behaviors.payid. Did you mean payId?'],
  [{ behaviors: { payId: 'distnct' } }, 'startSandbox: behaviors.payId: expected same or distinct.'],
  [{ behaviors: ['payId=distinct'] }, 'startSandbox: behaviors: should be an object.'],
  [{ keep: -1 }, 'keep takes a whole number, 0 for all.'],
  [{ clock: 'soon' }, 'Clock soon is no time. Set clock to an ISO 8601 time and its zone, like '],
  [{ clock: '2026-12-01T00:00:00' }, 'Clock 2026-12-01T00:00:00 is no time. '],
  [{ port: '4400' }, 'startSandbox: port: expected a number from 0 to 65535.'],
  [{ port: 70_000 }, 'Port 70000 is not one. Set port to a number from 0 to 65535.'],
  [{ db: '' }, 'db is empty. Give it a value, or leave it out.'],
  [{ allowedHosts: ['http://x'] }, 'Host http://x is not one. Set allowedHosts to a name like '],
  [{ onError: 'log' }, 'startSandbox: onError: expected a function.'],
  ['4400', 'startSandbox takes an object with options, like { port: 4401 }.'],
  [{ seed: 'missing.json' }, 'Set seed to a JSON file.'],
  [{ host: '0.0.0.0' }, 'Set adminToken to a secret of your own, or leave out host.'],
  [
    { db: 'postgres://me:secret@host/x' },
    'db is a URL, but the sandbox supports SQLite files only. Set db to the path',
  ],
  [{ db: 'package.json/x.db' }, 'Set db to a file in a writable folder.'],
])('startSandbox(%j) is rejected', async (options, message) => {
  await expect(startSandbox(options as SandboxOptions)).rejects.toThrow(message)
})

test('startSandbox: the error for a port in use names the option', async () => {
  await using other = createServer()
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }

  await expect(startSandbox({ port })).rejects.toThrow(
    `Port ${port} is taken. Set port to another one (0 finds a free one), or stop what listens there.`,
  )
})
