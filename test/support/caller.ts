import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { cleanEnvironment } from './process.ts'

interface StartedCaller {
  readonly url: string
  close(): Promise<void>
}

/** Starts an example app of `fixtures/callers/`: the correct one, `caller`, or one with a mistake. */
export async function startCaller(
  name: string,
  service: { readonly url: string; readonly apiKey: string },
  port = 0,
) {
  const module = new URL(`../../fixtures/callers/${name}.js`, import.meta.url)
  const { startCaller: start } = (await import(module.href)) as {
    startCaller(env: NodeJS.ProcessEnv): Promise<StartedCaller>
  }
  const { url, close } = await start({
    PAYLINK_URL: service.url,
    PAYLINK_API_KEY: service.apiKey,
    PORT: String(port),
    SERVICE_TIMEOUT_MS: '5000',
  })
  return {
    ...addressesOf(url),
    port: Number(new URL(url).port),
    [Symbol.asyncDispose]: close,
  }
}

const CALLERS = fileURLToPath(new URL('../../fixtures/callers', import.meta.url))

/**
 * Starts an example app that is a program, by default one of `fixtures/callers/`. The app prints its address when it listens.
 * It is ended with SIGKILL.
 */
export async function startCallerProgram(
  [command, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  cwd = CALLERS,
) {
  const child = spawn(command, args, {
    cwd,
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, because PHP starts further processes.
    detached: true,
  })
  const closed = once(child, 'close')
  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString()
        const address = /http:\/\/127\.0\.0\.1:\d+(?=[)\s])/.exec(said)?.[0]
        if (address !== undefined) resolve(address)
      })
    }
    child.once('error', reject)
    void closed.then(() => reject(new Error(`${command} ended: ${said}`)))
  })
  return {
    url,
    ...addressesOf(url),
    async [Symbol.asyncDispose](): Promise<void> {
      process.kill(-child.pid!, 'SIGKILL')
      await closed
    },
  }
}

const addressesOf = (url: string) => ({
  /** Receives the webhooks of links that name no endpoint. */
  receiver: `${url}/webhooks`,
  orderUrl: `${url}/orders`,
  stateUrl: `${url}/orders/{order}/state`,
})
