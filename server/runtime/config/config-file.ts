import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { UsageError } from '../../domain/text/usage-error.ts'
import { explainLoadError, loadModule } from './load-module.ts'
import { valuesOfObject, type OptionValues } from './option-values.ts'
import { fileOptions } from './options.ts'

const FILE_NAMES = ['.ts', '.js', '.mjs', '.json'].map((ending) => `paylink.config${ending}`)

const TIMEOUT_MS = 30_000

/** Reads the configuration file with this name, or else the one in the folder, if there is one. */
export async function readConfigFile(
  given: string | undefined,
  cwd = '',
  timeoutMs = TIMEOUT_MS,
): Promise<OptionValues> {
  const name = given ?? findConfigFile(cwd)
  if (name === undefined) return {}
  const config = await withTimeout(timeoutMs, name, load(name, cwd))
  if (config === null || typeof config !== 'object') {
    const todo =
      extname(name) === '.json'
        ? 'Write an object'
        : 'Export an object by default, or a function that returns one'
    throw new UsageError(`${name} contains no configuration. ${todo}, like { "port": 4401 }.`)
  }
  return valuesOfObject(fileOptions, { ...config }, name, ` in ${name}`)
}

/** The name of the configuration file in a folder. */
export function findConfigFile(cwd: string): string | undefined {
  const [found, other] = FILE_NAMES.filter((name) => existsSync(resolve(cwd, name)))
  if (other === undefined) return found
  throw new UsageError(
    `There are two configuration files, ${found} and ${other}. Keep one, or name one with --config.`,
  )
}

/**
 * Rejects after a time. The timer keeps the process alive; otherwise it would end silently if the file awaits
 * something that never happens.
 */
async function withTimeout<Result>(
  timeoutMs: number,
  name: string,
  loaded: Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<never>((_resolve, reject) => {
    const message = `${name} has not finished after ${timeoutMs / 1000} s. Correct what it waits for, or name another file with --config.`
    timer = setTimeout(() => reject(new UsageError(message)), timeoutMs)
  })
  try {
    return await Promise.race([loaded, timedOut])
  } finally {
    clearTimeout(timer)
  }
}

async function load(name: string, cwd: string): Promise<unknown> {
  const file = resolve(cwd, name)
  const ending = extname(file)
  if (!existsSync(file)) throw unreadable(name, 'there is no such file')
  if (ending === '.json') return parseJson(name, await readFile(file, 'utf8'))
  if (!/^\.[cm]?[jt]s$/.test(ending)) throw unreadable(name, 'it must end with .ts, .js, .mjs or .json')
  try {
    const exported = await loadModule(file)
    return typeof exported === 'function' ? await (exported as () => unknown)() : exported
  } catch (error) {
    throw unreadable(name, explainLoadError(error, file, cwd))
  }
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const [what = '', position] = message.split(/ in JSON at position (\d+)/)
    // A message without a position quotes the text around the error.
    const place =
      position === undefined ? '' : ` at ${name}:${text.slice(0, Number(position)).split('\n').length}`
    throw unreadable(name, `${what.replaceAll(/\s+/g, ' ')}${place}`)
  }
}

const unreadable = (name: string, why: string): UsageError =>
  new UsageError(`${name} cannot be read: ${why}. Correct it, or name another file with --config.`)
