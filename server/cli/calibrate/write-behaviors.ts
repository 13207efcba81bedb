import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { findConfigFile } from '../../runtime/config/config-file.ts'
import type { BehaviorChoices } from '../../domain/behaviors/behavior.ts'
import { isRecord } from '../../domain/text/is-object.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { parseJsonFile, readTextFile } from '../../platform/system/read-file.ts'
import { fileIn, type CliIo } from '../io.ts'

const NEW_FILE = 'paylink.config.json'

/** The configuration file that `--write` changes. It must be JSON, because a program cannot change code safely. */
export async function readWritableConfig(configFile: string | undefined, io: CliIo): Promise<string> {
  const name = configFile ?? findConfigFile(io.cwd ?? '') ?? NEW_FILE
  if (extname(name) === '.json') {
    // Reports an unreadable file before any calls are made.
    await readConfig(name, io)
    return name
  }
  throw new UsageError(
    `--write cannot change ${name}, because it is code. Run without --write, and copy the behaviors that calibrate prints.`,
  )
}

async function readConfig(name: string, io: CliIo) {
  const path = fileIn(io, name)
  const refuse = (why: string): UsageError =>
    new UsageError(`${name} cannot be read: ${why}. Correct it, or pass another file with --config.`)
  const text = existsSync(path) ? await readTextFile(path, { refuse }) : '{}'
  const config = parseJsonFile(text, name, refuse)
  if (isRecord(config)) return { config, text }
  throw new UsageError(`${name} contains no object. Write one, like { "port": 4401 }.`)
}

/** Sets behaviors in a configuration file. Keeps everything else, and the indentation. */
export async function writeBehaviors(name: string, behaviors: BehaviorChoices, io: CliIo): Promise<void> {
  const path = fileIn(io, name)
  const { config, text } = await readConfig(name, io)
  const earlier = isRecord(config.behaviors) ? config.behaviors : {}
  const indent = /^\{\s*\n([ \t]+)/.exec(text)?.[1] ?? '  '
  const changed = { ...config, behaviors: { ...earlier, ...behaviors } }
  await writeFile(path, `${JSON.stringify(changed, null, indent)}\n`)
}
