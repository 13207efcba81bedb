import { mkdtempSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { installPackage } from '../../scripts/install-package.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with the package as it is published, and the recipes and the shop beside it. */
    readonly installed: string
  }
}

/** The file that is there once the installation has ended, with what went wrong where something did. */
export const ENDED = 'ended'

/** Once for all tests that ask for it. It takes a while, most of it for the registry, so other tests run meanwhile. */
export function setup({ provide }: TestProject): () => Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'paylink-package-')))
  const end = (problem: string): void => {
    writeFileSync(join(folder, `${ENDED}.part`), problem)
    renameSync(join(folder, `${ENDED}.part`), join(folder, ENDED))
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
