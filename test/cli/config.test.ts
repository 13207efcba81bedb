import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfigFile } from '../../server/runtime/config/config-file.ts'
import { optionComment } from '../../server/runtime/config/option-values.ts'
import { startOptions } from '../../server/runtime/config/options.ts'
import { callsOf } from '../support/sandbox.ts'
import { runCli, startSandboxCli } from '../support/cli.ts'
import { temporaryFolder } from '../support/process.ts'

/** A folder with these files. It is deleted after the test. */
function folderWith(files: Record<string, string>) {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder.path, name, '..'), { recursive: true })
    writeFileSync(join(folder.path, name), text)
  }
  return folder
}

const QUIET = { port: 0, db: ':memory:', quiet: true }
const DISTINCT = `{ ...${JSON.stringify(QUIET)}, behaviors: { payId: 'distinct' } }`

test.each<[what: string, files: Record<string, string>]>([
  [
    'TypeScript with its type',
    {
      'paylink.config.ts': `import { defineConfig, type SandboxConfig } from 'paylink-sandbox'
        const config: SandboxConfig = ${DISTINCT}
        export default defineConfig(config)`,
    },
  ],
  ['an async function', { 'paylink.config.ts': `export default async () => (${DISTINCT})` }],
  [
    'TypeScript that imports and waits',
    {
      'paylink.config.ts': `import { config } from './test/config'
        await Promise.resolve()
        export default config satisfies object`,
      'test/config.ts': `export const config = ${DISTINCT} as const`,
    },
  ],
  ['JavaScript', { 'paylink.config.js': `export default ${DISTINCT}` }],
  ['a JavaScript module', { 'paylink.config.mjs': `export default () => (${DISTINCT})` }],
  ['JSON', { 'paylink.config.json': JSON.stringify({ ...QUIET, behaviors: { payId: 'distinct' } }) }],
])('a configuration file may be %s', async (_what, files) => {
  using folder = folderWith(files)
  await using sandbox = await startSandboxCli([], { cwd: folder.path })
  const { answer } = await callsOf(sandbox.url).control('GET', '/info')
  expect(answer).toMatchObject({ behaviors: { payId: 'distinct' } })
  expect([sandbox.lines, sandbox.errors]).toEqual([[`Sandbox listening on ${sandbox.url}`], []])
})

test('--config and PAYLINK_CONFIG choose a file, and the default files are ignored', async () => {
  using folder = folderWith({
    'ci/sandbox.ts': `export default ${DISTINCT}`,
    'paylink.config.ts': 'throw new Error("not this one")',
    'paylink.config.json': '{}',
  })
  for (const [args, env] of [
    [['--config', 'ci/sandbox.ts'], {}],
    [[], { PAYLINK_CONFIG: 'ci/sandbox.ts' }],
  ] as const) {
    await using sandbox = await startSandboxCli(args, { cwd: folder.path, env })
    const { answer } = await callsOf(sandbox.url).control('GET', '/info')
    expect(answer).toMatchObject({ behaviors: { payId: 'distinct' } })
  }
})

test('a flag overrides the environment, which overrides the configuration file', async () => {
  const config = { ...QUIET, behaviors: { payId: 'distinct' }, publicUrl: 'https://file.example' }
  using folder = folderWith({ 'paylink.config.ts': `export default ${JSON.stringify(config)}` })
  await using sandbox = await startSandboxCli(['--public-url', 'https://flag.example'], {
    cwd: folder.path,
    env: {
      PAYLINK_PUBLIC_URL: 'https://environment.example',
      PAYLINK_BEHAVIOR: 'errorStatus=http, retries=5s,30s, payId=same',
    },
  })

  const { answer } = await callsOf(sandbox.url).control('GET', '/info')
  expect(answer).toMatchObject({
    url: 'https://flag.example',
    behaviors: { payId: 'same', errorStatus: 'http', retries: '5s,30s' },
  })
})

test('a configuration file can contain URL maps', async () => {
  const maps = {
    'https://shop.invalid': 'http://localhost:3000',
    'http://old.invalid:8080': 'http://127.0.0.1:1',
  }
  using folder = folderWith({ 'paylink.config.json': JSON.stringify({ ...QUIET, maps }) })
  const mapsOf = async (...args: string[]) => {
    await using sandbox = await startSandboxCli(args, { cwd: folder.path })
    const { answer } = await callsOf(sandbox.url).control('GET', '/maps')
    return Object.fromEntries(answer.maps.map(({ from, to }) => [from, to]))
  }
  expect(await mapsOf()).toEqual(maps)
  // The flag overrides the file.
  const other = { 'https://shop.invalid': 'http://localhost:4000' }
  expect(await mapsOf('--map', 'https://shop.invalid=http://localhost:4000')).toEqual(other)
})

const CORRECT = 'Correct it, or pass another file with --config.'

test.each<[what: string, name: string, text: string, message: string]>([
  [
    'an unknown key',
    'paylink.config.json',
    '{"prot":1}',
    'paylink.config.json has an unknown key prot. Did you mean port?',
  ],
  [
    'an unknown behavior',
    'paylink.config.ts',
    'export default { behaviors: { payid: "same" } }',
    'behaviors.payid in paylink.config.ts is not a behavior. Did you mean payId?',
  ],
  [
    'an unknown value of a behavior',
    'paylink.config.ts',
    'export default { behaviors: { payId: "other" } }',
    'behaviors.payId in paylink.config.ts is other. It must be same or distinct.',
  ],
  [
    'a wrong type',
    'paylink.config.json',
    '{"quiet":"yes"}',
    'quiet in paylink.config.json is yes. It must be true or false.',
  ],
  [
    'an invalid port',
    'paylink.config.ts',
    'export default { port: -1 }',
    'port in paylink.config.ts is -1. It must be a number from 0 to 65535.',
  ],
  [
    'maps as a list',
    'paylink.config.json',
    '{"maps":["https://shop.invalid=http://localhost:3000"]}',
    'maps in paylink.config.json is ["https://shop.invalid=http://localhost:3000"]. It must be an object like ',
  ],
  [
    'a map to an invalid address',
    'paylink.config.json',
    '{"maps":{"https://shop.invalid":"3000"}}',
    'maps.https://shop.invalid in paylink.config.json is 3000. It should be an address like http://localhost:3000',
  ],
  [
    'an empty value',
    'paylink.config.ts',
    'export default { adminToken: "" }',
    'adminToken in paylink.config.ts is empty. Give it a value, or leave it out.',
  ],
  [
    'text that is not JSON',
    'paylink.config.json',
    '{\n  "port": }',
    `Unexpected token '}' at paylink.config.json:2:11. ${CORRECT}`,
  ],
  [
    'JSON that lacks a comma',
    'paylink.config.json',
    '{\n  "port": 1\n  "host": "::1"\n}',
    `after property value at paylink.config.json:3:3. ${CORRECT}`,
  ],
  [
    'invalid TypeScript',
    'paylink.config.ts',
    'export default {\n  port: 1,\n  host: ,\n}\n',
    `paylink.config.ts cannot be read: Unexpected token at paylink.config.ts:3. ${CORRECT}`,
  ],
  [
    'invalid JavaScript',
    'paylink.config.js',
    'export default {\n  host: ,\n}\n',
    `paylink.config.js cannot be read: Unexpected token at paylink.config.js:2. ${CORRECT}`,
  ],
  [
    'code that throws',
    'paylink.config.ts',
    'const port = 1\n\nthrow new Error("No .env here.\\nSecond line")\nexport default { port }\n',
    `paylink.config.ts cannot be read: No .env here at paylink.config.ts:3. ${CORRECT}`,
  ],
  [
    'a function that throws',
    'paylink.config.mjs',
    'export default async () => {\n  return missing\n}\n',
    `paylink.config.mjs cannot be read: missing is not defined at paylink.config.mjs:2. ${CORRECT}`,
  ],
  [
    'an import of a missing file',
    'paylink.config.ts',
    'import nothing from "nowhere"\nexport default nothing\n',
    `paylink.config.ts cannot be read: Cannot find module 'nowhere' at paylink.config.ts:1. ${CORRECT}`,
  ],
  [
    'no default export',
    'paylink.config.ts',
    'export const port = 1',
    'paylink.config.ts contains no configuration. Export an object by default, or a function that returns one',
  ],
  [
    'an export that is not an object',
    'paylink.config.json',
    '7',
    'paylink.config.json contains no configuration. Write an object',
  ],
])('a configuration file with %s is rejected in one line', async (_what, name, text, message) => {
  using folder = folderWith({ [name]: text })
  const { code, stdout, stderr } = await runCli([], { cwd: folder.path })
  expect([code, stdout, stderr.trimEnd().split('\n')]).toEqual([2, '', [expect.stringContaining(message)]])
})

test.each<[args: string[], message: string]>([
  [[], 'There are two configuration files, paylink.config.ts and paylink.config.json.'],
  [['--config', 'none.ts'], `none.ts cannot be read: there is no such file. ${CORRECT}`],
  [['--config', 'paylink.toml'], 'paylink.toml cannot be read: it must end with .ts, .js, .mjs or .json.'],
  [['--config', ''], '--config is empty. Give it a value, or leave it out.'],
])('an ambiguous or unreadable configuration file is rejected: %j', async (args, message) => {
  using folder = folderWith({ 'paylink.config.ts': '', 'paylink.config.json': '', 'paylink.toml': '' })
  const { code, stderr } = await runCli(args, { cwd: folder.path })
  expect([code, stderr.trimEnd().split('\n')]).toEqual([2, [expect.stringContaining(message)]])
})

test.each(['await new Promise(() => {})\nexport default {}', 'export default () => new Promise(() => {})'])(
  'a configuration file that does not finish loading is rejected: %j',
  async (text) => {
    using folder = folderWith({ 'paylink.config.ts': text })
    const file = join(folder.path, 'paylink.config.ts')
    await expect(readConfigFile(file, undefined, 500)).rejects.toThrow(
      `${file} cannot be read: it has not finished after 0.5 s. ${CORRECT}`,
    )
  },
)

test.each([
  ['port', 'Port to listen on, or 0 for a free one. Default: 4400, or 0 in startSandbox.'],
  [
    'host',
    'Address to listen on; if other machines can reach it, `adminToken` is required. Default: 127.0.0.1.',
  ],
  ['publicUrl', 'Base URL of pay links and QR codes. Default: the address that the request was sent to.'],
  ['behaviors', "Choose how the sandbox behaves where the API reference is silent: `{ payId: 'distinct' }`."],
  ['quiet', 'Print only one line with the address, when the sandbox is ready.'],
])('the comment of the option %s in the declarations uses the names of code', (key, comment) => {
  expect(optionComment(startOptions, key)).toBe(comment)
})
