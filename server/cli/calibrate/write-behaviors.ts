import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { findConfigFile } from '../../runtime/config/config-file.ts'
import type { BehaviorChoices } from '../../domain/behaviors/behavior.ts'
import { isRecord } from '../../domain/text/is-object.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { fileIn, type CliIo } from '../io.ts'

const NEW_FILE = 'paylink.config.json'

/** The configuration file that `--write` changes. Only JSON can be rewritten without running or guessing at code. */
export function readWritableConfig(given: string | undefined, { cwd = '' }: CliIo): string {
  const name = given ?? findConfigFile(cwd) ?? NEW_FILE
  if (extname(name) === '.json') return name
  throw new UsageError(
    `--write cannot change ${name}, because it is code. Run without --write, and copy the behaviors that calibrate prints.`,
  )
}

/** Sets behaviors in a configuration file, and keeps everything else and the indentation. */
export async function writeBehaviors(name: string, behaviors: BehaviorChoices, io: CliIo): Promise<void> {
  const path = fileIn(io, name)
  const text = existsSync(path) ? await readFile(path, 'utf8') : '{}'
  const config: unknown = JSON.parse(text)
  if (!isRecord(config)) throw new UsageError(`${name} contains no object. Write one, like { "port": 4401 }.`)
  const known = isRecord(config.behaviors) ? config.behaviors : {}
  const indent = /^\{\s*\n([ \t]+)/.exec(text)?.[1] ?? '  '
  const changed = { ...config, behaviors: { ...known, ...behaviors } }
  await writeFile(path, `${JSON.stringify(changed, null, indent)}\n`)
}
