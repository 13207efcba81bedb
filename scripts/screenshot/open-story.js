import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withClosing } from './closing.js'
import { openSandbox } from './open-sandbox.js'
import { startReceiver } from './start-receiver.js'
import { writeStory } from './story.js'

/**
 * Writes the story and opens it in a sandbox that the states share.
 *
 * @param {import('./closing.js').OnClose} onClose
 */
export async function openStory(onClose) {
  const folder = mkdtempSync(join(tmpdir(), 'paylink-story-'))
  onClose(() => rmSync(folder, { recursive: true, force: true }))
  const app = await startReceiver()
  onClose(app.close)
  const story = join(folder, 'story')
  mkdirSync(story)
  await withClosing((onWritten) => writeStory(join(story, 'sandbox.db'), app.origin, onWritten))
  let copies = 0
  const openCopy = (options = {}) => {
    const copy = join(folder, `copy-${(copies += 1)}`)
    cpSync(story, copy, { recursive: true })
    return openSandbox({ db: join(copy, 'sandbox.db'), ...options })
  }
  const shared = await openCopy()
  onClose(shared.close)

  return {
    /**
     * Opens a page at a state.
     *
     * @param {import('./state.js').State} state
     * @param {import('playwright-core').Page} page
     * @param {import('./closing.js').OnClose} onStateClose
     */
    async reach({ at, sandbox: kind = 'shared', options, reach }, page, onStateClose) {
      const sandbox =
        kind === 'shared'
          ? shared
          : await (kind === 'own' ? openCopy(options) : openSandbox({ db: ':memory:', ...options }))
      if (kind !== 'shared') onStateClose(sandbox.close)
      const context = { page, sandbox, app: app.origin, folder, onClose: onStateClose }
      const address = typeof at === 'string' ? at : await at(context)
      await page.goto(address.startsWith('/') ? sandbox.url + address : address)
      await reach?.(context)
      await page.mouse.move(0, 0)
    },
  }
}
