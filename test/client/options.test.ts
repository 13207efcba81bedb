import { createServer } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startSandbox, type SandboxOptions } from '../../server/package/index.ts'

test.each<[options: unknown, message: string]>([
  [{ prot: 1 }, 'startSandbox has an unknown key prot. Did you mean port?'],
  [{ behaviors: { payid: 'same' } }, 'behaviors.payid is not a behavior. Did you mean payId?'],
  [{ behaviors: { payId: 'distnct' } }, 'behaviors.payId is distnct. It must be same or distinct.'],
  [{ behaviors: ['payId=distinct'] }, 'behaviors is ["payId=distinct"]. It must be an object like '],
  [{ keep: -1 }, 'keep is -1. It must be a whole number, 0 for all.'],
  [{ clock: 'soon' }, 'clock is soon. It must be an ISO 8601 time with a time zone, like '],
  [{ clock: '2026-12-01T00:00:00' }, 'clock is 2026-12-01T00:00:00. It must be '],
  [{ port: true }, 'port is true. It must be a number from 0 to 65535.'],
  [{ port: 70_000 }, 'port is 70000. It must be a number from 0 to 65535.'],
  [{ db: '' }, 'db is empty. Give it a value, or leave it out.'],
  [{ allowedHosts: ['http://x'] }, 'allowedHosts[0] is http://x. It must be a host like '],
  [{ onError: 'log' }, 'onError is log. It must be a function.'],
  ...[null, [], new Map([['port', 1]]), new Date(), Promise.resolve({})].map(
    (options) => [options, 'It must be an object with options, like { port: 4401 }.'] as [unknown, string],
  ),
  [{ behaviors: new Map([['payId', 'distinct']]) }, 'behaviors is {}. It must be an object like '],
  [{ maps: new Set() }, 'maps is {}. It must be an object like '],
  [{ seed: Promise.resolve({}) }, 'seed is {}. It must be the name of a file, or a seed.'],
  [{ port: Number.NaN }, 'port is NaN. It must be a number'],
  ['4400', 'The argument of startSandbox is 4400. It must be an object with options, like { port: 4401 }.'],
  [{ seed: 'missing.json' }, 'Set seed to a JSON file.'],
  [{ host: '0.0.0.0' }, 'Set adminToken to a secret, or leave out host.'],
  [{ db: 'mysql://me:secret@host/x' }, 'db is a URL. It must be the path of a file'],
  [{ db: 'postgres://me:secret@host/x' }, 'startSandbox cannot use PostgreSQL.'],
  [{ db: ' postgres://me:secret@host/x\r' }, 'startSandbox cannot use PostgreSQL.'],
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
    `Port ${port} is taken. Set port to another one (0 picks a free one), or stop what listens there.`,
  )
})
