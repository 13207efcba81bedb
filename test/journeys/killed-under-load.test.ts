import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { createCaller } from '../crash/caller.ts'
import { startSandboxCli } from '../support/cli.ts'
import { createCondition } from '../support/condition.ts'
import { spawnSandbox } from '../support/process.ts'
import { callsOf, recipients } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

/**
 * Makes calls until it is stopped, whether they are answered or not. Between two calls it waits for the page, so that there are
 * never more links than the page can show on a busy machine.
 */
function keepCalling(url: string, page: Page) {
  const { notify, until } = createCondition()
  let isUp = true
  let isOver = false
  let answered = 0
  const caller = createCaller({
    url,
    up: () => until(() => isUp || isOver),
    onAnswer: (isAnswered) => (answered += isAnswered ? 1 : 0),
    problems: [],
  })
  const call = async () => {
    while (!isOver) {
      await caller.api('createSplitLink', { amount: 100, recipients })
      await page.title()
    }
  }
  const calling = Promise.all([call(), call()])
  return {
    answered: () => answered,
    /** Holds refused calls back until the sandbox has been started again. */
    holdRefused: () => (isUp = false),
    sendRefused(): void {
      isUp = true
      notify()
    },
    async stop(): Promise<void> {
      isOver = true
      await calling
    },
    async [Symbol.asyncDispose](): Promise<void> {
      isOver = true
      notify()
      await caller[Symbol.asyncDispose]()
      await calling
    },
  }
}

test('a sandbox killed and restarted under load loses nothing that its inspector showed', async ({
  folder,
  page,
  inspector,
}) => {
  const db = join(folder.path, 'sandbox.db')
  const first = await spawnSandbox(['--port', '0', '--db', db], { cwd: folder.path })
  const { port } = new URL(first.url)
  await inspector.open(first.url, '#/timeline?q=type:api.request')

  await using load = keepCalling(first.url, page)
  await expect.poll(load.answered).toBeGreaterThan(50)
  // A moving row is hard to click. Pressing an arrow key stops the list.
  await inspector.grid.press('ArrowUp')
  await inspector.details.waitFor()
  const selected = page.url()

  load.holdRefused()
  await first.end('SIGKILL')
  await page.getByText('Reconnecting…').waitFor()
  // The existing rows stay readable.
  await inspector.details.getByText('createSplitLink').first().waitFor()
  const before = load.answered()
  await using second = await startSandboxCli(['--port', port, '--db', db], { cwd: folder.path })
  load.sendRefused()
  await page.getByText('Live', { exact: true }).waitFor()
  await expect.poll(load.answered).toBeGreaterThan(before + 50)
  await load.stop()

  const { answer } = await callsOf(second.url).control('GET', '/info')
  const { links } = answer.counts
  expect(links).toBeGreaterThanOrEqual(load.answered())
  await expect.poll(inspector.rowCount).toBe(links)
  expect(page.url()).toBe(selected)
  expect(await page.getByRole('combobox').inputValue()).toBe('type:api.request')

  // Every payment occurs once. A page that was rendered too late is read in the next round, which begins at the first row
  // again.
  const payments = new Set<string>()
  let pages = 0
  await expect
    .poll(async () => {
      await inspector.grid.press(pages++ % Math.ceil(links / 5) === 0 ? 'Home' : 'PageDown')
      for (const text of await page.locator('.rows .pay').allTextContents()) payments.add(text)
      return payments.size
    })
    .toBe(links)
})
