import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { expect, inject } from 'vitest'
import { cleanEnvironment } from './process.ts'

/** A path in the folder where the package is installed. */
export const installedPath = (...path: readonly string[]): string => join(inject('installed'), ...path)

/** Runs an installed program in one of the projects, and returns its exit code and output. */
export async function runInstalled(
  project: string,
  [program, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv = {},
) {
  const child = spawn(program, args, {
    shell: process.platform === 'win32',
    cwd: installedPath(project),
    env: {
      ...cleanEnvironment(),
      PATH: pathWith(installedPath('node_modules', '.bin')),
      NO_COLOR: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const [code] = await once(child, 'close')
  return { code: code as number | null, said }
}

const pathWith = (folder: string): string => `${folder}${delimiter}${process.env.PATH}`

/** The result of a successful test run. If a comparison fails, Vitest shows the output. */
export const passing = { code: 0, said: expect.stringMatching(/\d passed/) }

/** The time limit of tests within a test, so that a busy machine does not fail them. */
export const LONG_TIMEOUT = '--testTimeout=180000'
