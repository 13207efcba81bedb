import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { transformWithOxc } from 'vite'
import { expect, test } from 'vitest'
import type { createBatch } from '../../ui/data/batch.ts'
import { openPage } from '../support/browser.ts'

const PAUSE_MS = 300
const FRAME_MS = 16

declare global {
  var createBatchHere: typeof createBatch
  var batch: ReturnType<typeof createBatch<string>>
  var passedOn: { items: readonly string[]; at: number }[]
}

/** A page with a stopped clock and a batch that pauses after each group of items. */
async function openBatch() {
  const page = await openPage()
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(1000)
  const file = fileURLToPath(new URL('../../ui/data/batch.ts', import.meta.url))
  const { code } = await transformWithOxc(await readFile(file, 'utf8'), file)
  // Not as a module, which would run later.
  await page.addScriptTag({
    content: `${code.replaceAll(/^export /gm, '')}\nglobalThis.createBatchHere = createBatch`,
  })
  await page.evaluate((pauseMs) => {
    globalThis.passedOn = []
    globalThis.batch = createBatchHere<string>((items) => {
      passedOn.push({ items, at: performance.now() })
      return pauseMs
    })
  }, PAUSE_MS)
  return {
    run: (ms: number) => page.clock.runFor(ms),
    add: (item: string) => page.evaluate((one) => batch.add([one]), item),
    passedOn: () => page.evaluate(() => passedOn.map(({ items }) => items.join(' '))),
    /** Waits until the pause after the last group is over. */
    restOfPause: (pauseMs = PAUSE_MS) =>
      page.evaluate((ms) => passedOn.at(-1)!.at + ms - performance.now(), pauseMs),
    /** A headless browser draws all its pages. */
    stopFrames: () => page.evaluate(() => void (globalThis.requestAnimationFrame = () => 0)),
  }
}

test('a batch passes on all events that arrived before the next frame, and then pauses', async () => {
  const { run, add, passedOn, restOfPause } = await openBatch()
  await add('a')
  await add('b')
  expect(await passedOn()).toEqual([])
  await run(FRAME_MS)
  expect(await passedOn()).toEqual(['a b'])

  await add('c')
  await run((await restOfPause()) - 1)
  await add('d')
  expect(await passedOn()).toEqual(['a b'])
  await run(1 + FRAME_MS)
  expect(await passedOn()).toEqual(['a b', 'c d'])
})

test('a batch without frames passes on its items after a short time', async () => {
  const { run, add, passedOn, restOfPause, stopFrames } = await openBatch()
  await add('a')
  await run(FRAME_MS)
  await add('b')
  await stopFrames()
  await run(await restOfPause())
  await run(499)
  expect(await passedOn()).toEqual(['a'])

  await run(1)
  expect(await passedOn()).toEqual(['a', 'b'])
})
