import { mkdtempSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { installPackage } from '../../scripts/install-package.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with the installed package, the recipes and the shop. */
    readonly installed: string
  }
}

/** This file exists when the installation has ended. It contains the error if the installation failed. */
export const ENDED_FILE = 'ended'

/**
 * Installs the package once for all tests. Most of this time is spent waiting for the registry, so other tests run in the
 * meantime.
 */
export function setup({ provide }: TestProject): () => Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'paylink-package-')))
  const end = (problem: string): void => {
    writeFileSync(join(folder, `${ENDED_FILE}.part`), problem)
    renameSync(join(folder, `${ENDED_FILE}.part`), join(folder, ENDED_FILE))
  }
  const ended = installPackage(folder, { compiles: process.env.PAYLINK_TEST_COMPILES === 'true' }).then(
    () => end(''),
    (error: unknown) => end(String(error)),
  )
  provide('installed', folder)
  return async () => {
    await ended
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
