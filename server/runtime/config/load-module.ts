import { relative } from 'node:path'
import { defineConfig } from './define-config.ts'

/** Runs a file of TypeScript or JavaScript and returns its default export, `undefined` if it has none. */
export async function loadModule(file: string): Promise<unknown> {
  // Loading jiti takes longer than the rest of a start, so only a configuration file loads it.
  const { createJiti } = await import('jiti')
  const plain = createJiti(file, { fsCache: false, interopDefault: false })
  const isInstalled = plain.esmResolve('paylink-sandbox', { try: true }) !== undefined
  // If the package is not installed, for example with npx, its name in the configuration leads here.
  const jiti = isInstalled
    ? plain
    : createJiti(file, {
        fsCache: false,
        interopDefault: false,
        virtualModules: { 'paylink-sandbox': { defineConfig } },
      })
  return ((await jiti.import(file)) as { readonly default?: unknown }).default
}

/** Says in one line why `loadModule` failed, with path and line if they are known. */
export function explainLoadError(error: unknown, file: string, cwd: string): string {
  const text = error instanceof Error ? error.message : String(error)
  const parsed = /ParseError: (.*?)\s*\n\s*(\S.*):(\d+):\d+/.exec(text)
  if (parsed) {
    const [, what, where, line] = parsed
    return `${what} at ${relative(cwd, where!)}:${line}`
  }
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const line = new RegExp(`${file.replace(/\W/g, String.raw`\$&`)}:(\\d+):\\d+`).exec(stack)?.[1]
  const what = text.split('\n')[0]!.replace(/\.$/, '')
  return line === undefined ? what : `${what} at ${relative(cwd, file)}:${line}`
}
