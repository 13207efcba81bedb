import { relative } from 'node:path'
import { reasonOf } from '../../domain/text/reason-of.ts'
import { readTextFile } from '../../platform/system/read-file.ts'
import { defineConfig } from './define-config.ts'

interface RunOptions {
  /** Creates the error for a module that cannot be run. `why` is the middle part of the message. */
  readonly refuse: (why: string) => Error
  readonly cwd: string
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 30_000

export const isModuleName = (name: string): boolean => /\.[cm]?[jt]s$/.test(name)

/**
 * Runs a TypeScript or JavaScript file that the user named. Then calls `use` with its default export, or with `undefined` if
 * there is none.
 */
export async function runModule<Result>(
  path: string,
  { refuse, cwd, timeoutMs = TIMEOUT_MS }: RunOptions,
  use: (exported: unknown) => Result | Promise<Result>,
): Promise<Result> {
  await readTextFile(path, { refuse, isCode: true })
  try {
    return await guard(timeoutMs, () => loadModule(path).then(use))
  } catch (error) {
    throw refuse(explainLoadError(error, path, cwd))
  }
}

/**
 * Rejects if a module ends the process, throws in a callback, or takes too long. The timer keeps the process alive: if the module
 * waits for something that never happens, the process would otherwise end silently.
 */
async function guard<Result>(timeoutMs: number, load: () => Promise<Result>): Promise<Result> {
  const { exit } = process
  let fail!: (error: unknown) => void
  const failed = new Promise<never>((_resolve, reject) => (fail = reject))
  const timer = setTimeout(
    () => fail(new Error(`it has not finished after ${timeoutMs / 1000} s`)),
    timeoutMs,
  )
  process.on('uncaughtException', fail)
  let ended: Error | undefined
  process.exit = (code = '') => {
    ended = new Error(`it calls process.exit(${code})`)
    throw ended
  }
  try {
    const result = await Promise.race([load(), failed])
    // The module called `process.exit`, and caught the error that our replacement throws.
    if (ended !== undefined) throw ended as Error
    return result
  } finally {
    clearTimeout(timer)
    process.off('uncaughtException', fail)
    process.exit = exit
  }
}

async function loadModule(file: string): Promise<unknown> {
  // Loaded on demand, because loading jiti takes longer than the rest of startup.
  const { createJiti } = await import('jiti')
  const plain = createJiti(file, { fsCache: false, interopDefault: false })
  const isInstalled = plain.esmResolve('paylink-sandbox', { try: true }) !== undefined
  // If the package is not installed, for example when it is run with npx, imports of it in the configuration resolve to these
  // files.
  const jiti = isInstalled
    ? plain
    : createJiti(file, {
        fsCache: false,
        interopDefault: false,
        virtualModules: { 'paylink-sandbox': { defineConfig } },
      })
  return ((await jiti.import(file)) as { readonly default?: unknown }).default
}

/** Says in one line why a module failed, if possible with path and line. */
function explainLoadError(error: unknown, file: string, cwd: string): string {
  const parsed =
    error instanceof Error ? /ParseError: (.*?)\s*\n\s*(\S.*):(\d+):\d+/.exec(error.message) : null
  if (parsed) {
    const [, what, where, line] = parsed
    return `${what!.replace(/\.$/, '')} at ${relative(cwd, where!)}:${line}`
  }
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const line = new RegExp(`${file.replace(/\W/g, String.raw`\$&`)}:(\\d+):\\d+`).exec(stack)?.[1]
  // Only the first line, because the following lines may list the modules that import the file.
  const what = reasonOf(error instanceof Error ? error.message.split('\n')[0] : error)
  return line === undefined ? what : `${what} at ${relative(cwd, file)}:${line}`
}
