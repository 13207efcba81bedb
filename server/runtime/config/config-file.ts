import { lstatSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { isPlainObject, isRecord } from '../../domain/text/is-object.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { readJsonFile } from '../../platform/system/read-file.ts'
import { isModuleName, runModule } from './load-module.ts'
import { valuesOfObject, type OptionValues } from './option-values.ts'
import { fileOptions } from './options.ts'

const FILE_NAMES = ['.ts', '.js', '.mjs', '.json'].map((ending) => `paylink.config${ending}`)

const TIMEOUT_MS = 30_000

/** Reads the configuration file with this name. If no name is given, reads the one in the folder, if it exists. */
export async function readConfigFile(
  fileName: string | undefined,
  cwd = '',
  timeoutMs = TIMEOUT_MS,
): Promise<OptionValues> {
  const name = fileName ?? findConfigFile(cwd)
  if (name === undefined) return {}
  const config = await load(name, cwd, timeoutMs)
  if (!isPlainObject(config)) {
    const todo =
      extname(name) === '.json'
        ? 'Write an object'
        : 'Export an object by default, or a function that returns one'
    throw new UsageError(`${name} contains no configuration. ${todo}, like { "port": 4401 }.`)
  }
  return valuesOfObject(fileOptions, config, name, ` in ${name}`)
}

export function findConfigFile(cwd: string): string | undefined {
  // A symbolic link counts, even if its target does not exist.
  const [found, other] = FILE_NAMES.filter((name) => isThere(resolve(cwd, name)))
  if (other === undefined) return found
  throw new UsageError(
    `There are two configuration files, ${found} and ${other}. Keep one, or choose one with --config.`,
  )
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    // The folder is not readable.
    return false
  }
}

async function load(name: string, cwd: string, timeoutMs: number): Promise<unknown> {
  const path = resolve(cwd, name)
  const ending = extname(path)
  const refuse = (why: string): UsageError =>
    new UsageError(`${name} cannot be read: ${why}. Correct it, or pass another file with --config.`)
  if (ending === '.json') return readJsonFile(path, name, { refuse })
  if (isModuleName(path)) {
    return runModule(path, { refuse, cwd, timeoutMs }, async (exported) =>
      copyOf(typeof exported === 'function' ? await (exported as () => unknown)() : exported),
    )
  }
  throw refuse('it must end with .ts, .js, .mjs or .json')
}

/** A copy of the values. Each value is read only once, because a getter in the configuration may throw. */
function copyOf(config: unknown): unknown {
  try {
    return structuredClone(config)
  } catch (error) {
    // The configuration contains a function, which the validation of the option will reject.
    if (error instanceof DOMException && isRecord(config)) return { ...config }
    throw error
  }
}
