import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import { stopCommand } from '../../server/cli/background/stop-command.ts'
import { runCli } from '../support/cli.ts'
import { freePort } from '../support/free-port.ts'
import { BUILT_CLI, cleanEnvironment, isAlive, runBuiltCli } from '../support/process.ts'
import { shop } from '../support/sandbox.ts'
import { test as base } from '../support/test.ts'

interface Background {
  readonly path: string
  readonly port: string
  /** Runs a command line at this port. */
  cli(...args: readonly string[]): ReturnType<typeof runBuiltCli>
  /** Returns the record that the sandbox writes about itself while it runs. */
  record(name?: string): { readonly pid: number; readonly port: number; readonly secret: string }
}

/** A folder. All processes that run in it are ended after the test. */
const test = base.extend<{ background: Background }>({
  background: async ({ folder: { path } }, use) => {
    const port = String(await freePort())
    const at = (name: string) => join(path, '.paylink', `${name}.background.json`)
    await use({
      path,
      port,
      cli: (...args) => runBuiltCli(args, { cwd: path, env: { PAYLINK_PORT: port } }),
      record: (name = 'sandbox.db') => JSON.parse(readFileSync(at(name), 'utf8')),
    })
    for (const pid of processesIn(path)) process.kill(pid, 'SIGKILL')
  },
})

/** The processes that run in a folder. Only Linux lists them. */
function processesIn(path: string): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && folderOf(name) === path)
    .map(Number)
}

function folderOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

test('start --detach: prints the same as start, and returns when the sandbox is ready', async ({
  background: { path, port, cli, record },
}) => {
  const started = await cli('start', '--detach')
  const health = await cli('health')

  const url = `http://127.0.0.1:${port}`
  const lines = started.stdout.trimEnd().split('\n')
  expect([started.code, started.stderr, health.code]).toEqual([0, '', 0])
  expect(lines).toEqual(
    expect.arrayContaining([
      '  Log           .paylink/sandbox.db.log',
      '  To stop       npx paylink-sandbox stop',
      `PAYLINK_URL=${url}`,
      `PAYLINK_API_KEY=${shop.apiKey}`,
    ]),
  )
  expect(lines.at(-1)).toBe(`Sandbox listening on ${url}`)
  expect(readFileSync(join(path, '.paylink', 'sandbox.db.log'), 'utf8')).toBe(started.stdout)
  expect(statSync(join(path, '.paylink', 'sandbox.db.background.json')).mode & 0o077).toBe(0)
  expect(isAlive(record().pid)).toBe(true)
})

test('stop: ends the sandbox before it returns, and a second stop says that none runs', async ({
  background: { path, port, cli, record },
}) => {
  await cli('start', '--detach', '--quiet')
  const { pid } = record()
  const stopped = await cli('stop')
  const again = await cli('stop')
  const json = await cli('stop', '--json')
  const restarted = await cli('start', '--detach', '--quiet')

  expect(stopped).toEqual({
    code: 0,
    stdout: `The sandbox at http://127.0.0.1:${port} has stopped\n`,
    stderr: '',
  })
  await expect.poll(() => isAlive(pid)).toBe(false)
  expect(again).toEqual({
    code: 0,
    stdout:
      'No sandbox with database .paylink/sandbox.db runs in the background. If one runs in a terminal, press Ctrl-C there.\n',
    stderr: '',
  })
  expect(json).toEqual({ code: 0, stdout: '{"stopped":false,"url":null}\n', stderr: '' })
  expect(restarted.code).toBe(0)
  expect(processesIn(path)).toEqual(process.platform === 'linux' ? [record().pid] : [])
})

test('start: names the sandbox that runs with the database in the background', async ({
  background: { port, cli },
}) => {
  await cli('start', '--detach', '--quiet')
  const detached = await cli('start', '--detach')
  const attached = await cli('start', '--port', '0')

  const message = `A sandbox with database .paylink/sandbox.db is already running in the background at http://127.0.0.1:${port}. Use it, or stop it with \`npx paylink-sandbox stop\`.`
  for (const { code, stdout, stderr } of [detached, attached]) {
    expect([code, stdout, stderr.trim().split('\n')]).toEqual([2, '', [expect.stringContaining(message)]])
  }
})

test('start --detach: fails with the error of start, and leaves nothing behind', async ({
  background: { path, port, cli },
}) => {
  await using server = createServer((socket) => socket.destroy())
  await once(server.listen(Number(port), '127.0.0.1'), 'listening')
  writeFileSync(join(path, 'text.db'), 'a text that is not a database, and is long enough to be read as one')
  const lines = [
    ['--prot', '1'],
    ['--port', 'x'],
    ['--db', 'new/x.db'],
    ['--db', 'text.db', '--port', '0'],
    ['--db', 'text.db/x.db', '--port', '0'],
    ['--db', '.', '--port', '0'],
  ]

  for (const args of lines) {
    const detached = await cli('start', '--detach', ...args)
    expect(detached.code).toBe(2)
    expect(detached).toEqual(await cli('start', ...args))
  }
  expect(processesIn(path)).toEqual([])
  expect(readdirSync(path, { recursive: true }).filter((name) => String(name).endsWith('.json'))).toEqual([])
})

test('stop: does not touch a program that has the port and the process id of a killed sandbox', async ({
  background: { path, cli, record },
}) => {
  await cli('start', '--detach', '--quiet')
  const killed = record()
  process.kill(killed.pid, 'SIGKILL')
  await expect.poll(() => isAlive(killed.pid)).toBe(false)
  const received: string[] = []
  await using foreign = createServer((socket) =>
    socket.on('data', (data) => {
      received.push(String(data))
      socket.write(data)
    }),
  )
  await once(foreign.listen(killed.port, '127.0.0.1'), 'listening')
  const file = join(path, '.paylink', 'sandbox.db.background.json')
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'])
  writeFileSync(file, JSON.stringify({ ...killed, pid: other.pid }))

  const stopped = await cli('stop', '--json')
  const started = await cli('start', '--detach', '--quiet')
  expect(stopped).toEqual({ code: 0, stdout: '{"stopped":false,"url":null}\n', stderr: '' })
  expect(received[0]).toBe(`${killed.secret} stop\n`)
  expect([isAlive(other.pid!), started.code]).toEqual([true, 0])
  other.kill()
})

test('a sandbox in the background ignores requests without its secret', async ({
  background: { cli, record },
}) => {
  await cli('start', '--detach', '--quiet')
  const socket = connect(record().port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('wrong stop\n')
  await once(socket, 'close')

  expect((await cli('health')).code).toBe(0)
})

test('start --detach and stop: several at the same moment start one sandbox and stop it', async ({
  background: { path, cli },
}) => {
  const started = await Promise.all([1, 2, 3].map(() => cli('start', '--detach', '--quiet')))
  const health = await cli('health')
  const stopped = await Promise.all([1, 2, 3].map(() => cli('stop')))

  expect(started.map(({ code }) => code).toSorted()).toEqual([0, 2, 2])
  expect(health.code).toBe(0)
  expect(stopped.map(({ code }) => code)).toEqual([0, 0, 0])
  await expect.poll(() => processesIn(path)).toEqual([])
})

test('stop: finds a sandbox without a database file by its port', async ({ background: { path, cli } }) => {
  const started = await cli('start', '--detach', '--db', ':memory:', '--port', '0', '--json')
  const ready = JSON.parse(started.stdout)
  const { port } = new URL(ready.url)
  const other = await cli('stop', '--db', ':memory:')
  const stopped = await cli('stop', '--db', ':memory:', '--port', port, '--json')

  expect(ready).toMatchObject({
    type: 'ready',
    pid: expect.any(Number),
    log: expect.stringMatching(/^\.paylink\/port-0-\d+\.log$/),
  })
  expect(started.stderr).toContain(`To stop       npx paylink-sandbox stop --db :memory: --port ${port}\n`)
  expect(JSON.stringify(other)).toContain('No sandbox with database :memory: and port ')
  expect(stopped.stdout).toBe(`{"stopped":true,"url":"${ready.url}"}\n`)
  expect(existsSync(join(path, '.paylink', 'sandbox.db'))).toBe(false)
})

/** The arguments in the line of `start` that says how to stop the sandbox. */
const stopArguments = (output: string): string[] =>
  / {2}To stop {7}npx paylink-sandbox (.*)/.exec(output)![1]!.split(' ')

test('start --detach: the printed command stops the new sandbox, even if PAYLINK_DB names another database', async ({
  background: { path, port },
}) => {
  const cli = (...args: string[]) => runBuiltCli(args, { cwd: path, env: { PAYLINK_DB: 'other.db' } })
  await cli('start', '--detach', '--port', port)
  const started = await cli('start', '--detach', '--db', '.paylink/sandbox.db', '--port', '0', '--json')
  const stopped = await cli(...stopArguments(started.stderr), '--json')

  expect(started.code).toBe(0)
  expect(JSON.parse(stopped.stdout)).toEqual({ stopped: true, url: JSON.parse(started.stdout).url })
})

// Only Linux has more than one loopback address.
test.skipIf(process.platform !== 'linux')(
  'stop: tells sandboxes in memory with the same port apart by their host',
  async ({ background: { port, cli } }) => {
    const first = await cli('start', '--detach', '--db', ':memory:')
    const second = await cli('start', '--detach', '--db', ':memory:', '--host', '127.0.0.2')
    const stopped = await cli(...stopArguments(second.stdout), '--json')
    const health = await cli('health')

    expect([first.code, second.code, health.code]).toEqual([0, 0, 0])
    expect(stopped.stdout).toBe(`{"stopped":true,"url":"http://127.0.0.2:${port}"}\n`)
  },
)

test('start --detach: each sandbox on a free port has its own log', async ({ background: { cli } }) => {
  const lines = [1, 2].map(() => cli('start', '--detach', '--db', ':memory:', '--port', '0', '--json'))
  const logs = (await Promise.all(lines)).map(({ stdout }) => JSON.parse(stdout).log as string)

  expect(new Set(logs).size).toBe(2)
})

test('start: a second sandbox in memory needs only another port', async ({ background: { port, cli } }) => {
  await cli('start', '--detach', '--db', ':memory:')
  const second = await cli('start', '--detach', '--db', ':memory:')

  expect(second).toEqual({
    code: 2,
    stdout: '',
    stderr: `A sandbox with database :memory: and port ${port} is already running in the background at http://127.0.0.1:${port}. Use it, or stop it with \`npx paylink-sandbox stop --db :memory: --port ${port}\`. To start a second one, set PAYLINK_PORT to another port (0 picks a free one).\n`,
  })
})

test('stop: finds the sandbox by a symbolic link to its database', async ({ background: { path, cli } }) => {
  await cli('start', '--detach')
  symlinkSync(join('.paylink', 'sandbox.db'), join(path, 'link.db'))
  const stopped = await cli('stop', '--db', 'link.db', '--json')

  expect(JSON.parse(stopped.stdout)).toMatchObject({ stopped: true })
})

test('start --detach: says that the process could not be started', async ({ folder: { path } }) => {
  const args = ['start', '--detach', '--port', '0', '--db', join(path, 'sandbox.db')]
  const started = await runCli(args, { cwd: join(path, 'missing') })

  expect(started).toEqual({
    code: 1,
    stdout: '',
    stderr: `The sandbox could not be started in the background: spawn ${process.execPath} ENOENT. To start it in this terminal, leave out --detach.\n`,
  })
})

test.for<[db: string, platform: NodeJS.Platform, quoted: string]>([
  ['my shop/$HOME.db', 'linux', `'my shop/$HOME.db'`],
  [`it's.db`, 'linux', String.raw`'it'\''s.db'`],
  ['data\\sandbox.db', 'linux', String.raw`'data\sandbox.db'`],
  [String.raw`C:\my shop\sandbox.db`, 'win32', String.raw`"C:\my shop\sandbox.db"`],
  [String.raw`C:\shop\it's.db`, 'win32', String.raw`"C:\shop\it's.db"`],
  [String.raw`C:\shop\sandbox.db`, 'win32', String.raw`C:\shop\sandbox.db`],
])('the command to stop database %s on %s quotes it for the shell', ([db, platform, quoted]) => {
  const command = stopCommand({ db, host: '127.0.0.1', port: 4400, isSet: (key) => key === 'db' }, platform)

  expect(command).toBe(`npx paylink-sandbox stop --db ${quoted}`)
})

test('the command to stop a sandbox that was started with --config states its database and its address', () => {
  const options = { host: '127.0.0.1', port: 4400, isSet: (key: string) => key === 'config' }
  const commands = ['.paylink/sandbox.db', ':memory:'].map((db) => stopCommand({ ...options, db }, 'linux'))

  expect(commands).toEqual([
    'npx paylink-sandbox stop --db .paylink/sandbox.db',
    'npx paylink-sandbox stop --db :memory: --host 127.0.0.1 --port 4400',
  ])
})

test.skipIf(process.platform !== 'linux')(
  'start --detach: the sandbox ends if the command is killed before it is ready',
  async ({ background: { path, port } }) => {
    // Only the process of the sandbox waits, so that it never becomes ready. The command does not wait.
    const config = 'if (process.send) await new Promise(() => setInterval(() => {}, 1e6))\nexport default {}'
    writeFileSync(join(path, 'paylink.config.mjs'), config)
    const command = spawn(process.execPath, [BUILT_CLI, 'start', '--detach'], {
      cwd: path,
      env: { ...cleanEnvironment(), PAYLINK_PORT: port },
      stdio: 'ignore',
    })
    await expect.poll(() => processesIn(path)).toHaveLength(2)
    command.kill('SIGKILL')

    await expect.poll(() => processesIn(path)).toEqual([])
    // The command did not wait until the configuration file timed out.
    expect(readFileSync(join(path, '.paylink', 'sandbox.db.log'), 'utf8')).toBe('')
  },
)

test.for<[args: string[], message: string]>([
  [
    ['stop', '--db', ':memory:', '--port', '0'],
    '--port is 0, so only the sandbox knows its port. Pass --port with the port that it has printed.',
  ],
  [
    ['stop', '--port', '4401'],
    '--port is 4401, but database .paylink/sandbox.db is a file, which already identifies the sandbox to stop. Leave out --port, or add --db :memory:.',
  ],
  [
    ['stop', '--host', '::1'],
    '--host is ::1, but database .paylink/sandbox.db is a file, which already identifies the sandbox to stop. Leave out --host, or add --db :memory:.',
  ],
  [['stop', '--port', 'x'], '--port is x. It must be a number from 0 to 65535.'],
  [['stop', '--db', ''], '--db is empty. Give it a value, or leave it out.'],
  [['stop', 'now'], 'stop does not take now. Write npx paylink-sandbox stop [flags].'],
  [['start', '--detach=yes'], "Option '--detach' does not take an argument. --help lists the flags."],
])('the command %j ends with a usage error of one line', async ([args, message], { folder }) => {
  expect(await runCli(args, { cwd: folder.path })).toEqual({ code: 2, stdout: '', stderr: `${message}\n` })
})

/** Starts one sandbox as npx does, and one that does not look as if npx started it. Then the script ends. */
const NPX = `
const { spawn } = require('node:child_process')
const [, cli, isInShell] = process.argv
const start = (script) => {
  const env = { ...process.env, npm_command: 'exec', npm_lifecycle_script: script }
  const args = [process.execPath, cli, '--db', ':memory:', '--port', '0', '--quiet']
  const [program, ...rest] = isInShell === 'true' ? ['sh', '-c', args.join(' ') + '; true'] : args
  spawn(program, rest, { env, stdio: ['ignore', 'inherit', 'ignore'] })
}
start("'paylink-sandbox'")
start('nohup paylink-sandbox &')
`

test.skipIf(process.platform !== 'linux').for([true, false])(
  'a sandbox ends when the npx that started it is killed, even with a shell in between: %s',
  async (isInShell, { background: { path } }) => {
    const npx = spawn(process.execPath, ['-e', NPX, BUILT_CLI, String(isInShell)], {
      cwd: path,
      env: cleanEnvironment(),
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let output = ''
    npx.stdout.on('data', (data) => (output += String(data)))
    await expect.poll(() => output.trim().split('\n')).toHaveLength(2)
    const programs = () => processesIn(path).filter((pid) => programOf(pid) === BUILT_CLI)
    expect(programs()).toHaveLength(2)

    npx.kill('SIGKILL')
    await expect.poll(programs).toHaveLength(1)
  },
)

function programOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[1]
  } catch {
    return undefined
  }
}
