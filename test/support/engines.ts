import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { WebSocket } from 'ws'
import { expect } from 'vitest'
import { freePort } from './free-port.ts'

/** A page in a browser other than Chromium. */
export interface EnginePage {
  goto(url: string): Promise<void>
  /** The value of an expression in the page. It is passed as JSON. */
  evaluate<Value>(expression: string): Promise<Value>
  [Symbol.asyncDispose](): Promise<void>
}

export interface Engine {
  readonly name: string
  /** The programs that are missing. `undefined` if none is. */
  readonly missing: string | undefined
  /** Runs an expression in each page before its own scripts. WebKit has no command for that: there it runs after the page has loaded. */
  open(first: string): Promise<EnginePage>
}

/** The first of these programs that is installed. */
const findProgram = (...names: readonly string[]): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path))

const firefox = findProgram('firefox-esr', 'firefox')
const webKitDriver = findProgram('WebKitWebDriver')
const virtualDisplay = findProgram('Xvfb')
const hasDisplay = virtualDisplay !== undefined || (process.env.DISPLAY ?? '') !== ''

export const engines: readonly Engine[] = [
  {
    name: 'Firefox',
    missing: firefox === undefined ? 'Firefox (Debian: firefox-esr)' : undefined,
    open: (first) => openFirefox(firefox!, first),
  },
  {
    name: 'WebKit',
    missing:
      webKitDriver === undefined
        ? 'WebKitWebDriver (Debian: webkit2gtk-driver)'
        : hasDisplay
          ? undefined
          : 'a display (Debian: xvfb)',
    open: (first) => openWebKit(webKitDriver!, first),
  },
]

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill()
  await exited
}

/** The first line of a program's output that matches. */
async function firstMatch(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  for await (const line of createInterface(child.stderr!)) {
    const match = pattern.exec(line)
    if (match) return match
  }
  throw new Error(`${child.spawnfile} ended, and printed nothing that matches ${pattern}.`)
}

/** Firefox speaks WebDriver BiDi without a driver. */
async function openFirefox(program: string, first: string): Promise<EnginePage> {
  const profile = await mkdtemp(join(tmpdir(), 'paylink-firefox-'))
  // Scrollbars take space, as on most desktops.
  await writeFile(join(profile, 'user.js'), 'user_pref("widget.gtk.overlay-scrollbars.enabled", false);\n')
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0', 'about:blank']
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const [, address] = await firstMatch(child, /WebDriver BiDi listening on (ws:\/\/\S+)/)
  child.stderr.resume()
  const socket = new WebSocket(`${address}/session`)
  await once(socket, 'open')

  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>()
  socket.on('message', (data) => {
    const { id, type, result, message } = JSON.parse(String(data))
    if (type === 'success') waiting.get(id)?.resolve(result as never)
    else if (type === 'error') waiting.get(id)?.reject(new Error(message))
  })
  let last = 0
  const send = <Result>(method: string, params: object): Promise<Result> => {
    const id = ++last
    socket.send(JSON.stringify({ id, method, params }))
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
  }

  await send('session.new', { capabilities: {} })
  const { contexts } = await send<{ contexts: readonly [{ context: string }] }>('browsingContext.getTree', {})
  const { context } = contexts[0]
  await send('script.addPreloadScript', { functionDeclaration: `() => { ${first} }` })
  await send('browsingContext.setViewport', { context, viewport: { width: 1440, height: 900 } })
  return {
    goto: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    evaluate: async (expression) => {
      const { result, exceptionDetails } = await send<{
        result?: { value: string }
        exceptionDetails?: { text: string }
      }>('script.evaluate', {
        expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`,
        target: { context },
        awaitPromise: true,
      })
      if (!result) throw new Error(exceptionDetails?.text)
      return JSON.parse(result.value)
    },
    async [Symbol.asyncDispose]() {
      socket.close()
      await end(child)
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** WebKitGTK, through its driver. */
async function openWebKit(program: string, first: string): Promise<EnginePage> {
  const started: ChildProcess[] = []
  const env: NodeJS.ProcessEnv = { ...process.env, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }
  if (virtualDisplay !== undefined) {
    const display = spawn(
      virtualDisplay,
      ['-displayfd', '2', '-screen', '0', '1440x1000x24', '-nolisten', 'tcp'],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
    started.push(display)
    const [number] = await firstMatch(display, /^\d+$/)
    env.DISPLAY = `:${number}`
  }
  const port = await freePort()
  const driver = spawn(program, [`--port=${port}`, '--host=127.0.0.1'], { env, stdio: 'ignore' })
  started.push(driver)

  const send = async <Value>(method: string, path: string, body?: object): Promise<Value> => {
    const init = { method, ...(body && { body: JSON.stringify(body) }) }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init)
    const { value } = (await answer.json()) as { value: Value & { error?: string; message?: string } }
    if (value?.error) throw new Error(`${value.error}: ${value.message}`)
    return value
  }
  const isReady = (): Promise<boolean> =>
    send('GET', '/status').then(
      () => true,
      () => false,
    )
  await expect.poll(isReady).toBe(true)

  const { sessionId } = await send<{ sessionId: string }>('POST', '/session', { capabilities: {} })
  const session = `/session/${sessionId}`
  await send('POST', `${session}/window/rect`, { x: 0, y: 0, width: 1440, height: 900 })
  const evaluate = async <Value>(expression: string): Promise<Value> =>
    JSON.parse(
      await send('POST', `${session}/execute/async`, {
        script: `const done = arguments[0]; Promise.resolve(${expression}).then((value) => done(JSON.stringify(value ?? null)), (error) => done(JSON.stringify(String(error))))`,
        args: [],
      }),
    )
  return {
    async goto(url) {
      await send('POST', `${session}/url`, { url })
      await evaluate(first)
    },
    evaluate,
    async [Symbol.asyncDispose]() {
      await send('DELETE', session).catch(() => undefined)
      for (const child of started.toReversed()) await end(child)
    },
  }
}
