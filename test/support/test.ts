import { test as base } from 'vitest'
import { openPage } from './browser.ts'
import { inspectorOn } from './inspector.ts'
import { temporaryFolder } from './process.ts'
import { startReceiver } from './receiver.ts'
import { openSandbox } from './sandbox.ts'

/**
 * Fixtures of a test: `test('…', async ({ sandbox, receiver }) => …)`. Vitest opens those that a test names, and closes
 * them after it in reverse order: the page first, then the sandbox, then what the sandbox depends on.
 */
export const test = base
  .extend('folder', ({}, { onCleanup }) => {
    const folder = temporaryFolder()
    onCleanup(() => folder[Symbol.dispose]())
    return folder
  })
  .extend('receiver', async ({}, { onCleanup }) => {
    const receiver = await startReceiver()
    onCleanup(() => receiver[Symbol.asyncDispose]())
    return receiver
  })
  .extend('sandbox', async ({}, { onCleanup }) => {
    const sandbox = await openSandbox()
    onCleanup(() => sandbox[Symbol.asyncDispose]())
    return sandbox
  })
  .extend('page', () => openPage())
  .extend('inspector', ({ page }) => inspectorOn(page))
