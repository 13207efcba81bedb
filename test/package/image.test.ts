import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { DockerfileParser, type Copy, type Env, type Instruction } from 'dockerfile-ast'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFlags } from '../../server/cli/start-flags.ts'
import { freePort } from '../support/free-port.ts'
import { cleanEnvironment, temporaryFolder } from '../support/process.ts'
import { isFullSize } from '../../scripts/test-sets.js'

// This test needs no container engine: it follows the instructions of the Dockerfile in temporary folders.

const root = fileURLToPath(new URL('../..', import.meta.url))
const instructions = DockerfileParser.parse(readFileSync(join(root, 'Dockerfile'), 'utf8')).getInstructions()
const lastFrom = instructions.findLastIndex((one) => one.getKeyword() === 'FROM')
const stages = { build: instructions.slice(0, lastFrom), final: instructions.slice(lastFrom) }

const wordsOf = (instruction: Instruction): string[] =>
  instruction.getArguments().map((argument) => argument.getValue())

const all = (stage: readonly Instruction[], keyword: string) =>
  stage.filter((one) => one.getKeyword() === keyword)

/** The source and the target of each COPY of a stage. */
const copies = (stage: readonly Instruction[]) =>
  all(stage, 'COPY').map((copy) => {
    const words = wordsOf(copy)
    return {
      isFromStage: (copy as Copy).getFromFlag() !== null,
      sources: words.slice(0, -1),
      place: words.at(-1)!,
    }
  })

/** The command of an instruction in exec form, which is run without a shell, so it receives signals itself. */
const argv = (keyword: 'ENTRYPOINT' | 'CMD' | 'HEALTHCHECK'): string[] => {
  const [instruction] = all(stages.final, keyword)
  return JSON.parse(/\[.*\]$/.exec(instruction!.getRawArgumentsContent()!)![0]) as string[]
}

const environment = (): Record<string, string> =>
  Object.fromEntries(
    all(stages.final, 'ENV').flatMap((env) =>
      (env as Env).getProperties().map((property) => [property.getName(), property.getValue() ?? '']),
    ),
  )

const image = temporaryFolder()
const build = join(image.path, 'build')
const at = (path: string): string => join(image.path, 'final', path)
const put = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true })
  if (from.endsWith('node_modules')) symlinkSync(from, to, 'dir')
  else cpSync(from, to, { recursive: true })
}

/**
 * Copies the files of both stages as the COPY lines say, and builds as the RUN line says. At small size, the existing build is
 * copied instead.
 */
beforeAll(() => {
  for (const { sources, place } of copies(stages.build)) {
    for (const source of sources) {
      put(join(root, source), join(build, place.endsWith('/') ? join(place, source) : place))
    }
  }
  put(join(root, 'node_modules'), join(build, 'node_modules'))
  if (isFullSize)
    execFileSync('npm', ['run', 'build'], { cwd: build, env: cleanEnvironment(), stdio: 'pipe' })
  else put(join(root, 'dist'), join(build, 'dist'))
  for (const { sources, place } of copies(stages.final)) {
    put(sources[0]!.replace(/^\/app/, build), at(place))
  }
  mkdirSync(at('/data'))
})
afterAll(() => image[Symbol.dispose]())

/** The command, with paths of the folder instead of paths of the image. */
const inImage = (words: readonly string[]): string[] =>
  words.map((word) => (word === 'node' ? process.execPath : word.replace(/^\/(app|data)\b/, at('/$1'))))

const settings = (changes: NodeJS.ProcessEnv) => ({
  ...cleanEnvironment(),
  ...Object.fromEntries(Object.entries(environment()).map(([name, value]) => [name, inImage([value])[0]])),
  ...changes,
})

const runInImage = (words: readonly string[], env: NodeJS.ProcessEnv) => {
  const [program, ...args] = inImage(words)
  const { status, stdout, stderr } = spawnSync(program!, args, {
    cwd: at('/data'),
    env,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

test('image: both stages use the same major version of Node', () => {
  const bases = all(instructions, 'FROM').map((from) => wordsOf(from)[0])
  expect(bases).toEqual(['node:24-slim', 'node:24-slim'])
})

test('image: every copied file exists and is not ignored', () => {
  const ignore = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => /^[^#]/.test(line))
  expect(ignore[0]).toBe('*')
  const kept = ignore.slice(1).map((line) => line.replace(/^!/, ''))
  const sources = copies(stages.build).flatMap((copy) => copy.sources)

  expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([])
  expect(kept.toSorted()).toEqual(sources.toSorted())
  expect(copies(stages.final).every(({ isFromStage }) => isFromStage)).toBe(true)
})

test('image: contains pg, in the locked version', () => {
  const folder = join(image.path, 'packages')
  for (const file of ['package.json', 'package-lock.json']) put(join(root, file), join(folder, file))
  const commands = all(stages.build, 'RUN').map((run) => run.getRawArgumentsContent()!)
  const built = commands.findIndex((command) => command.startsWith('npm run build'))
  for (const command of commands.slice(built + 1))
    execFileSync('sh', ['-c', command], {
      cwd: folder,
      env: { ...cleanEnvironment(), npm_config_package_lock_only: 'true' },
    })
  const lock = (path: string): Lock =>
    JSON.parse(readFileSync(join(path, 'package-lock.json'), 'utf8')) as Lock
  const { version } = lock(root).packages['node_modules/pg']!
  expect(lock(root).packages['node_modules/pg']).toHaveProperty('dev')
  expect(lock(folder).packages['node_modules/pg']).toMatchObject({ version })
  expect(lock(folder).packages['node_modules/pg']).not.toHaveProperty('dev')
})

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly dev?: true }>>
}

test('image: runs without root, in its volume, on the exposed port', () => {
  const [user] = all(stages.final, 'USER').map((one) => wordsOf(one)[0])
  expect(user).toBe('node')
  const places = ['VOLUME', 'WORKDIR'].map((keyword) => wordsOf(all(stages.final, keyword)[0]!)[0])
  expect(places).toEqual(['/data', '/data'])
  expect(environment().PAYLINK_DB).toMatch(/^\/data\//)
  expect(wordsOf(all(stages.final, 'EXPOSE')[0]!)).toEqual([environment().PAYLINK_PORT])
})

test('image: every environment variable is an option of the sandbox', () => {
  const known = ['NODE_ENV', 'PAYLINK_CONTAINER', ...Object.keys(startFlags).map(variableOf)]
  expect(Object.keys(environment()).filter((name) => !known.includes(name))).toEqual([])
})

const variableOf = (flag: string): string => `PAYLINK_${flag.toUpperCase().replaceAll('-', '_')}`

test('image: without a token the sandbox does not start, and says what to do', () => {
  const { status, stderr } = runInImage([...argv('ENTRYPOINT'), ...argv('CMD')], settings({}))
  expect([status, stderr]).toEqual([
    2,
    'Listening on 0.0.0.0 lets other machines reach the sandbox. Set --admin-token to a secret, or leave out PAYLINK_HOST.\n',
  ])
})

test('image: starts, becomes healthy, keeps its database in the volume, and stops on SIGTERM', async () => {
  const env = settings({ PAYLINK_ADMIN_TOKEN: 'open sesame', PAYLINK_PORT: String(await freePort()) })
  const check = argv('HEALTHCHECK')
  expect(runInImage(check, env)).toMatchObject({ status: 1, stdout: expect.stringContaining('is not ready') })

  const [program, ...args] = inImage([...argv('ENTRYPOINT'), ...argv('CMD')])
  const child = spawn(program!, args, { cwd: at('/data'), env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  try {
    for await (const line of createInterface(child.stdout)) if (line.startsWith('Sandbox listening')) break

    expect(runInImage(check, env)).toMatchObject({ status: 0, stderr: '' })
    expect(existsSync(at('/data/sandbox.db'))).toBe(true)
    const command = [...argv('ENTRYPOINT'), 'create', '--amount', '5', '--json']
    expect(JSON.parse(runInImage(command, env).stdout)).toMatchObject({ id: 1001, amount: 5 })
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  } finally {
    child.kill('SIGKILL')
    await ended
  }
})
