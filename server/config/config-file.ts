import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { z } from 'zod'
import { commonKeys, explainKey } from './config-keys.ts'
import type { SandboxConfig } from './define-config.ts'
import type { flags, Values } from './flags.ts'
import { explainFailure, loadModule } from './load-module.ts'
import { UsageError } from '../domain/text/usage-error.ts'

const NAMES = ['.ts', '.js', '.mjs', '.json'].map((ending) => `paylink.config${ending}`)

const Config = z.strictObject({
  ...commonKeys,
  port: z
    .union([z.string(), z.number()], { error: 'expected a number from 0 to 65535' })
    .transform(String)
    .optional(),
  keep: z
    .union([z.string(), z.number()], { error: 'expected a whole number, 0 for all' })
    .transform(String)
    .optional(),
  allowHost: z.array(z.string()).optional(),
  tunnelToken: z.array(z.string()).optional(),
  open: z.boolean().optional(),
  json: z.boolean().optional(),
  quiet: z.boolean().optional(),
} satisfies Record<keyof SandboxConfig, z.ZodType>)

const TIMEOUT_MS = 30_000

/** Reads the configuration file: the one that was named, else the one there is. */
export async function readConfigFile(
  named: string | undefined,
  cwd = '',
  timeoutMs = TIMEOUT_MS,
): Promise<Values<keyof typeof flags>> {
  const name = named ?? findFile(cwd)
  if (name === undefined) return {}
  const config = accept(name, await within(timeoutMs, name, load(name, cwd)))
  return Object.fromEntries(
    Object.entries(config).flatMap(([key, value]) => {
      if (value === undefined) return []
      const place = `${key} in ${name}`
      const given = key in FLAG_OF ? entriesOf(value as object) : value
      return [[flagOf(key), { value: given, place, how: `Set ${place} to` }]]
    }),
  )
}

function findFile(cwd: string): string | undefined {
  const [found, other] = NAMES.filter((name) => existsSync(resolve(cwd, name)))
  if (other === undefined) return found
  throw new UsageError(
    `${found} and ${other} are both here, and one would be passed over. Keep one, or name one with --config.`,
  )
}

/** The timer also keeps the process, which would end in silence where nothing is left to do. */
async function within<Result>(timeoutMs: number, name: string, loaded: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_resolve, reject) => {
    const problem = `${name} is not done after ${timeoutMs / 1000} s.`
    timer = setTimeout(
      () =>
        reject(new UsageError(`${problem} Correct what it waits for, or name another file with --config.`)),
      timeoutMs,
    )
  })
  try {
    return await Promise.race([loaded, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

async function load(name: string, cwd: string): Promise<unknown> {
  const file = resolve(cwd, name)
  const ending = extname(file)
  if (!existsSync(file)) throw unreadable(name, 'there is no such file')
  if (ending === '.json') return parseJson(name, await readFile(file, 'utf8'))
  if (!/^\.[cm]?[jt]s$/.test(ending)) throw unreadable(name, 'it is neither .ts nor .js, .mjs or .json')
  try {
    const exported = await loadModule(file)
    return typeof exported === 'function' ? await (exported as () => unknown)() : exported
  } catch (error) {
    throw unreadable(name, explainFailure(error, file, cwd))
  }
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const [what = '', position] = message.split(/ in JSON at position (\d+)/)
    // Without a position it quotes what is around it.
    const place =
      position === undefined ? '' : ` at ${name}:${text.slice(0, Number(position)).split('\n').length}`
    throw unreadable(name, `${what.replaceAll(/\s+/g, ' ')}${place}`)
  }
}

const unreadable = (name: string, why: string): UsageError =>
  new UsageError(`${name} cannot be read: ${why}. Correct it, or name another file with --config.`)

function accept(name: string, config: unknown): z.output<typeof Config> {
  if (config === null || typeof config !== 'object') {
    throw new UsageError(
      `${name} gives no configuration. ${
        extname(name) === '.json'
          ? 'Write an object'
          : 'Export an object by default, or a function giving one'
      }, like { "port": 4401 }.`,
    )
  }
  const parsed = Config.safeParse(config)
  if (parsed.success) return parsed.data
  throw new UsageError(explainKey(name, Object.keys(Config.shape), parsed.error.issues[0]!))
}

/** These are objects, and their flag is given once for each entry. */
const FLAG_OF: Readonly<Record<string, string>> = { behaviors: 'behavior', maps: 'map' }

const flagOf = (key: string): string =>
  FLAG_OF[key] ?? key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const entriesOf = (given: object): string[] =>
  Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
