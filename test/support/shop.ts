import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { cleanEnvironment } from './process.ts'
import { courier, shop as owner } from './sandbox.ts'

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url))

/**
 * Starts a shop of `fixtures/` in a new process with the first account: the correct one, or one of
 * `shops/`.
 */
export async function spawnShop(name: string, paylinkUrl: string, settings: NodeJS.ProcessEnv = {}) {
  const folder = name === 'shop' ? name : `shops/${name}`
  const child = spawn(process.execPath, [`${fixtures}${folder}/serve.js`], {
    env: {
      ...cleanEnvironment(),
      PAYLINK_URL: paylinkUrl,
      PAYLINK_API_KEY: owner.apiKey,
      PAYLINK_RECIPIENT_TOKEN: courier.recipientToken,
      SHOP_DB: ':memory:',
      SHOP_PORT: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const closed = once(child, 'close')
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', (line) => resolve(/\S+$/.exec(line)?.[0] ?? ''))
    child.once('close', (code) => reject(new Error(`The shop ${name} ended with ${code}.`)))
  })
  return {
    url,
    async [Symbol.asyncDispose](): Promise<void> {
      child.kill('SIGKILL')
      await closed
    },
  }
}
