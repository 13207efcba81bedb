import { join } from 'node:path'
import { expect } from 'vitest'
import { startSandboxCli } from '../support/cli.ts'
import { spawnSandbox } from '../support/process.ts'
import { callsOf } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const MAX_CALLS = 1_000

/** Makes calls until it is stopped, whether they are answered or not. */
function keepCalling(url: string) {
  let isOver = false
  let answered = 0
  const caller = async () => {
    while (!isOver && answered < MAX_CALLS) {
      // A refused connection fails at once. A turn of the event loop keeps the rest of the test running.
      await callsOf(url)
        .createLink()
        .then(() => (answered += 1))
        .catch(() => new Promise((resolve) => setImmediate(resolve)))
    }
  }
  const callers = [caller(), caller()]
  return {
    answered: () => answered,
    async stop(): Promise<void> {
      isOver = true
      await Promise.all(callers)
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

  const load = keepCalling(first.url)
  try {
    await expect.poll(load.answered).toBeGreaterThan(50)
    // A moving row is hard to click. The first arrow key stops it.
    await inspector.grid.press('ArrowUp')
    await inspector.details.waitFor()
    const selected = page.url()

    await first.end('SIGKILL')
    await page.getByText('Reconnecting…').waitFor()
    // The rows that exist stay readable.
    await inspector.details.getByText('createSplitLink').first().waitFor()
    const before = load.answered()
    await using second = await startSandboxCli(['--port', port, '--db', db], { cwd: folder.path })
    await page.getByText('Live', { exact: true }).waitFor()
    await expect.poll(load.answered).toBeGreaterThan(before + 50)
    await load.stop()

    const { answer } = await callsOf(second.url).control<{ counts: { links: number } }>('GET', '/info')
    expect(answer.counts.links).toBeGreaterThanOrEqual(load.answered())
    await expect.poll(inspector.rowCount).toBe(answer.counts.links)
    expect(page.url()).toBe(selected)
    expect(await page.getByRole('combobox').inputValue()).toBe('type:api.request')

    // From the first row to the last, every payment occurs once.
    const payments = new Set<string>()
    await inspector.grid.press('Home')
    await expect
      .poll(async () => {
        for (const text of await page.locator('.rows .pay').allTextContents()) payments.add(text)
        await inspector.grid.press('PageDown')
        return payments.size
      })
      .toBe(answer.counts.links)
  } finally {
    await load.stop()
  }
})
