import type { TestProject } from 'vitest/node'
import { installPackage } from '../../scripts/install-package.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with the package as it is published, and the recipes and the shop beside it. */
    readonly installed: string
  }
}

/** Once for all tests that ask for it, as it takes a while. */
export function setup({ provide }: TestProject): () => Promise<void> {
  const { folder, remove } = installPackage({ compiles: process.env.PAYLINK_TEST_COMPILES === 'true' })
  provide('installed', folder)
  return remove
}
