import { mkdirSync, readdirSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import { readJsonFile, readTextFile } from '../../server/platform/system/read-file.ts'
import { runCli, startSandboxCli } from '../support/cli.ts'
import { runBuiltCli } from '../support/process.ts'
import { openSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

test('import: names the origins of a file if none of its calls goes to the given one', async ({ folder }) => {
  const entry = (origin: string) => ({
    request: { method: 'POST', url: `${origin}/api/v2/createLink`, headers: [], postData: { text: '{}' } },
    response: { status: 200, headers: [], content: { text: '{}' } },
  })
  const entries = ['https://dev.pay.example', 'https://pay.example', 'https://pay.example'].map(entry)
  writeFileSync(join(folder.path, 'calls.har'), JSON.stringify({ log: { entries } }))

  const run = await runCli(['import', 'calls.har', '--origin', 'https://dv.pay.example'], {
    cwd: folder.path,
  })

  expect([run.code, run.stderr]).toEqual([
    2,
    'calls.har has no call to https://dv.pay.example. It has calls to https://dev.pay.example and https://pay.example.\n',
  ])
})

const utf16le = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')
const utf16be = (text: string): Buffer => utf16le(text).swap16()

/** Puts something that is not a usable file at a path. */
const odd: Readonly<Record<string, (path: string) => void>> = {
  'there is no such file': () => {},
  'it is a folder': (path) => mkdirSync(path),
  'it is empty': (path) => writeFileSync(path, '\ufeff \n'),
  'it is a symbolic link to nowhere.json, and there is no such file': (path) =>
    symlinkSync('nowhere.json', path),
  'its symbolic links lead in a circle': (path) => symlinkSync(path, path),
  'it is a pipe or a device': (path) => void spawnSync('mkfifo', [path]),
  'it is a ZIP archive. Unpack it into a folder of its own, and name the file in it': (path) =>
    writeFileSync(path, 'PK\u0003\u0004…'),
  'it is compressed with gzip': (path) => writeFileSync(path, Buffer.from('1f8b0800', 'hex')),
}

/** Every file that a user can name, and the command that reads it. */
const readers: readonly (readonly [what: string, name: string, args: readonly string[]])[] = [
  ['a configuration', 'odd.json', ['--config', 'odd.json']],
  ['the configuration of the folder', 'paylink.config.json', []],
  ['a configuration that is a module', 'odd.ts', ['--config', 'odd.ts']],
  ['a seed', 'odd.json', ['--seed', 'odd.json']],
  ['a result of calibrate', 'odd.json', ['--calibration', 'odd.json']],
  ['a certificate', 'odd.pem', ['--tls-cert', 'odd.pem', '--tls-key', 'odd.pem']],
  ['a HAR file', 'odd.har', ['import', 'odd.har']],
  ['a HAR file of calibrate', 'odd.har', ['calibrate', '--from', 'odd.har']],
  ['a module of check', 'odd.mjs', ['check', 'http://localhost:1', '--order-state-module', 'odd.mjs']],
]

const cases = readers.flatMap((reader) => Object.keys(odd).map((why) => [...reader, why] as const))

test
  .skipIf(process.platform === 'win32')
  .for(
    cases.filter(
      ([what, , , why]) => !(what === 'the configuration of the folder' && why.startsWith('there is no')),
    ),
  )(
  'an unusable file is refused in one line: %s (%s), %j: %s',
  async ([, name, args, why], { folder, sandbox }) => {
    odd[why]!(join(folder.path, name))
    const isStart = args[0]?.startsWith('--') ?? true
    const env = isStart ? { PAYLINK_PORT: '0', PAYLINK_DB: ':memory:' } : { PAYLINK_URL: sandbox.url }
    const { code, stdout, stderr } = await runCli(args, { cwd: folder.path, env })
    expect([code, stdout, stderr.trimEnd().split('\n')]).toEqual([2, '', [expect.stringContaining(why)]])
    expect(stderr).toContain(name)
    expect(stderr).not.toContain('..')
  },
)

test.for<[what: string, content: string | Buffer, why: string]>([
  ['no PEM', Buffer.from('3082ff', 'hex'), 'it is not in the format PEM.'],
  ['no certificate', 'text', 'odd.pem is not a PEM certificate. Set PAYLINK_TLS_CERT to one.'],
])('a command names the certificate of its sandbox if it is %s', async ([, content, why], { folder }) => {
  writeFileSync(join(folder.path, 'odd.pem'), content)
  const env = { PAYLINK_TLS_CERT: 'odd.pem', PAYLINK_TLS_KEY: 'odd.pem' }
  const { code, stderr } = await runCli(['accounts'], { cwd: folder.path, env })
  expect([code, stderr.trimEnd().split('\n')]).toEqual([2, [expect.stringContaining(why)]])
})

test.for<[what: string, bytes: Buffer]>([
  ['with a byte order mark', Buffer.from('\ufeff{"a":"ü"}')],
  ['in UTF-16, as PowerShell writes it', utf16le('{"a":"ü"}')],
  ['in UTF-16 of the other byte order', utf16be('{"a":"ü"}')],
])('a JSON file %s is read', async ([, bytes], { folder }) => {
  const path = join(folder.path, 'file.json')
  writeFileSync(path, bytes)
  expect(await readJsonFile(path, 'file.json', { refuse: (why) => new Error(why) })).toEqual({ a: 'ü' })
})

test.for<[what: string, bytes: Buffer, why: string]>([
  ['in Latin-1', Buffer.from('{"a":"ü"}', 'latin1'), 'it is not text in UTF-8. Save it as UTF-8'],
  [
    'in UTF-16 without a mark',
    Buffer.from('{"a":1}', 'utf16le'),
    'it is not text in UTF-8. Save it as UTF-8',
  ],
  ['that is too large', Buffer.alloc(101, ' '), 'it has 1 MiB, and at most'],
])('a file %s is refused', async ([, bytes, why], { folder }) => {
  const path = join(folder.path, 'file.json')
  writeFileSync(path, bytes)
  const read = readTextFile(path, { maxBytes: 100, refuse: (reason) => new Error(reason) })
  await expect(read).rejects.toThrow(why)
})

test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'a file that this user may not read is refused',
  async ({ folder }) => {
    const path = join(folder.path, 'locked.json')
    writeFileSync(path, '{}', { mode: 0o000 })
    const read = readTextFile(path, { refuse: (why) => new Error(why) })
    await expect(read).rejects.toThrow('this user may not read it')
  },
)

test.for<[code: string, message: string]>([
  ['export default { get port() { throw new Error("No port.") } }', 'cannot be read: No port at odd.ts:1.'],
  [
    'export default { seed: { get accounts() { throw new Error("Deep") } } }',
    'cannot be read: Deep at odd.ts:1.',
  ],
  ['process.exit(0)', 'cannot be read: it calls process.exit(0) at odd.ts:1.'],
  ['export default () => { try { process.exit() } catch {} }', 'cannot be read: it calls process.exit()'],
  ['throw null', 'cannot be read: null.'],
  ['throw Object.create(null)', 'cannot be read: it threw no error, but another value.'],
  ['export default () => { throw undefined }', 'cannot be read: undefined.'],
  ['export default []', 'contains no configuration.'],
  ['export default new Map()', 'contains no configuration.'],
  ['export default async () => "text"', 'contains no configuration.'],
  ['export default { port: () => 1 }', 'port in odd.ts is () => 1. It must be a number'],
  ['export default { quiet: 5n }', 'quiet in odd.ts is 5n. It must be true or false.'],
  ['const a = {}; a.a = a; export default { quiet: a }', 'It must be true or false.'],
])('a configuration with the code %s is refused in one line', async ([code, message], { folder }) => {
  writeFileSync(join(folder.path, 'odd.ts'), code)
  const { stderr, ...result } = await runCli(['--config', 'odd.ts'], { cwd: folder.path })
  expect([result.code, stderr.trimEnd().split('\n')]).toEqual([2, [expect.stringContaining(message)]])
})

test.for([
  ['a callback', 'setImmediate(() => { throw new Error("Late") })'],
  ['a promise that nobody awaits', 'Promise.reject(new Error("Late"))'],
])('a configuration that throws in %s is refused in one line', async ([, code], { folder }) => {
  writeFileSync(join(folder.path, 'odd.mjs'), `${code}; export default new Promise(() => {})`)
  const { code: status, stderr } = await runBuiltCli(['--config', 'odd.mjs'], { cwd: folder.path, env: {} })
  expect([status, stderr]).toEqual([
    2,
    'odd.mjs cannot be read: Late at odd.mjs:1. Correct it, or pass another file with --config.\n',
  ])
})

test.for(['process.exit(0)', 'setImmediate(() => process.exit(0)); export default new Promise(() => {})'])(
  'if a configuration runs %s, the exit code of the command is not 0',
  async (code, { folder }) => {
    writeFileSync(join(folder.path, 'odd.mjs'), code)
    const { code: status, stderr } = await runBuiltCli(['--config', 'odd.mjs'], { cwd: folder.path, env: {} })
    expect([status, stderr]).toEqual([2, expect.stringContaining('it calls process.exit(0)')])
  },
)

test('exec refuses a wrong port of the configuration, although it ignores the port', async ({ folder }) => {
  writeFileSync(join(folder.path, 'paylink.config.json'), '{"port":"abc"}')
  const { code, stderr } = await runCli(['exec', '--', 'true'], { cwd: folder.path })
  expect([code, stderr]).toEqual([
    2,
    'port in paylink.config.json is abc. It must be a number from 0 to 65535.\n',
  ])
})

test.skipIf(process.platform === 'win32').for<[args: string[], message: string]>([
  [['exec', '--har', 'taken', '--', 'true'], '--har taken cannot be written: it is a folder.'],
  [['exec', '--report', 'file/r.html', '--', 'true'], 'a part of its path is a file, not a folder.'],
  [['exec', '--matrix', '--junit', 'circle', '--', 'true'], 'its symbolic links lead in a circle.'],
  [['exec', '--har', 'x'.repeat(300), '--', 'true'], 'its name is too long.'],
  [
    ['exec', '--report', '/dev/full', '--', 'true'],
    '--report /dev/full could not be saved: the disk is full',
  ],
  [['check', 'http://localhost:1', '--tests', 'file'], '--tests file cannot be created: '],
])('the error says why a file cannot be written: %j', async ([args, message], { folder, sandbox }) => {
  mkdirSync(join(folder.path, 'taken'))
  writeFileSync(join(folder.path, 'file'), '')
  symlinkSync('circle', join(folder.path, 'circle'))
  const env = args[0] === 'check' ? { PAYLINK_URL: sandbox.url } : {}
  const { code, stderr } = await runCli(args, { cwd: folder.path, env })
  expect(code).toBeGreaterThan(0)
  expect(stderr).toContain(message)
  expect(stderr).not.toMatch(/E[A-Z]{3,}:/)
})

test.skipIf(process.platform !== 'linux')(
  'a device that rejects a report is not deleted',
  async ({ folder }) => {
    const link = join(folder.path, 'full')
    symlinkSync('/dev/full', link)
    const { code, stderr } = await runCli(['exec', '--report', 'full', '--', 'true'], { cwd: folder.path })
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('--report full could not be saved: the disk is full\n'),
    ])
    expect(readlinkSync(link)).toBe('/dev/full')
  },
)

test.skipIf(process.platform === 'win32')(
  'only their owner can read the files of a run',
  async ({ folder }) => {
    const cwd = folder.path
    const command = [process.execPath, '-e', 'fetch(process.env.PAYLINK_URL + "/api/v2/getLinks")']
    const saved = ['--report', 'out/report.html', '--har', 'out/run.har']
    await runCli(['exec', '--quiet', ...saved, '--', ...command], { cwd })
    await runCli(
      ['exec', '--quiet', '--matrix', '--junit', 'out/run.xml', '--markdown', 'out/run.md', '--', 'true'],
      { cwd },
    )
    const files = readdirSync(join(cwd, 'out')).toSorted()
    expect(files).toEqual(['report.html', 'run.har', 'run.md', 'run.xml'])
    for (const file of files)
      expect([file, statSync(join(cwd, 'out', file)).mode & 0o777]).toEqual([file, 0o600])
  },
)

test.skipIf(process.platform === 'win32')(
  'only its owner can read a database behind a symbolic link',
  async ({ folder }) => {
    const link = join(folder.path, 'link.db')
    symlinkSync('real.db', link)
    await using _sandbox = await openSandbox({ db: link })
    for (const file of readdirSync(folder.path).filter((name) => name.startsWith('real.db')))
      expect([file, statSync(join(folder.path, file)).mode & 0o777]).toEqual([file, 0o600])
  },
)

test.skipIf(process.platform === 'win32').for<[db: string, message: string]>([
  ['made/', '--db is made/. It must be a file, like made/sandbox.db.'],
  ['pipe', 'Database pipe is a pipe or a device. Set --db to a file.'],
  ['/dev/null', 'Database /dev/null is a pipe or a device.'],
  ['circle', 'Database circle cannot be created: its symbolic links lead in a circle.'],
  [
    'link',
    'Database link cannot be created: it is a symbolic link to nowhere/x.db, whose folder is missing.',
  ],
  ['x'.repeat(300), 'cannot be created: its name is too long.'],
  ['/proc/x.db', 'Database /proc/x.db cannot be created: there is no such folder, and none can be created.'],
])('the error says why there can be no database at %s', async ([db, message], { folder }) => {
  spawnSync('mkfifo', [join(folder.path, 'pipe')])
  symlinkSync('circle', join(folder.path, 'circle'))
  symlinkSync('nowhere/x.db', join(folder.path, 'link'))
  const { code, stderr } = await runCli(['--db', db, '--port', '0'], { cwd: folder.path })
  // The command line passes the path of the file, which begins with the path of the folder.
  expect([code, stderr.replaceAll(`${folder.path}/`, '')]).toEqual([2, expect.stringContaining(message)])
  expect(readdirSync(folder.path).toSorted()).toEqual(['circle', 'link', 'pipe'])
})

test('exec --matrix: reports that the command calls no sandbox, and writes the report', async ({
  folder,
}) => {
  const args = ['exec', '--matrix', '--junit', 'run.xml', '--', process.execPath, '--eval', '']
  const { code, stderr } = await runCli(args, { cwd: folder.path })
  expect(code).toBe(1)
  expect(stderr).toContain('The command never called the API of its sandbox')
  expect(stderr).not.toContain('--fail-on')
  expect(stderr).toContain('It ended with 0.\n')
  expect(readdirSync(folder.path)).toEqual(['run.xml'])
})

test('a seed with a byte order mark is loaded', async ({ folder }) => {
  writeFileSync(join(folder.path, 'seed.json'), '\ufeff{"accounts":[{"name":"Bakery"}]}')
  await using sandbox = await startSandboxCli(['--port', '0', '--db', ':memory:', '--seed', 'seed.json'], {
    cwd: folder.path,
  })
  expect(sandbox.lines.join('\n')).toContain('# Bakery: API key')
})
