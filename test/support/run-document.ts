import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { installedPath, LONG_TIMEOUT } from './installed.ts'
import { freePort } from './free-port.ts'
import { cleanEnvironment } from './process.ts'

interface Block {
  /** The first word after the fence: `sh`, `ts`, `python` … */
  readonly language: string
  /** The second word after the fence: the name of a file, or how to run the commands. */
  readonly note: string
  readonly code: string
}

/** The fenced blocks of a Markdown text, in lists without their indentation. */
export const blocksOf = (markdown: string): Block[] =>
  [...markdown.matchAll(/^( *)```([a-z]+) ?(\S*)\n([^]*?)^ *```$/gm)].map(
    ([, indentation = '', language = '', note = '', code = '']) => ({
      language,
      note,
      code: code.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
    }),
  )

/**
 * Does what a document says, in a folder below the installed package: writes each block that names a file, and runs
 * each block of `sh`. A sandbox in memory runs meanwhile. The second word of the fence says what is special:
 *
 * - `start`: the program keeps running. If it is a sandbox, it replaces the one before. The same command starts it again.
 * - `alone`: starts its own sandbox in the background, so the sandbox is stopped first.
 * - `check`: the exit code may be 1.
 * - `skip`, `install`: needs something that a test does not have, such as Docker, and is not run.
 *
 * The ports 4400, 3000 and 3001 are replaced by free ones. A receiver that answers 200 listens at the second. The server
 * `pay.dev.example` is this machine, and the proxy before it is left out.
 */
export async function runDocument(name: string, markdown: string, receiverPort: number): Promise<string[]> {
  const folder = installedPath('documents', name)
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  const link = join(folder, 'node_modules', 'paylink-sandbox')
  // When a test is repeated, the folder of its first run exists.
  if (!existsSync(link)) symlinkSync(installedPath('node_modules', 'paylink-sandbox'), link, 'junction')
  const port = await freePort()
  const appPort = await freePort()
  const replacements: Readonly<Record<string, string>> = {
    'pay.dev.example:4400': `127.0.0.1:${port}`,
    'https://pay.dev.example': `http://127.0.0.1:${port}`,
    '4400': `${port}`,
    '3000': `${receiverPort}`,
    '3001': `${appPort}`,
  }
  // All ports are replaced in one pass, because a free port may contain the number of another.
  const withPorts = (text: string): string =>
    text.replaceAll(
      /pay\.dev\.example:4400|https:\/\/pay\.dev\.example(?!:4400)|4400|3000|3001/g,
      (shown) => replacements[shown]!,
    )
  await using shell = openShell(folder, port)
  const failures: string[] = []

  const blocks = blocksOf(markdown)
  const first = blocks.find(({ language }) => language === 'sh')
  const bringsSandbox = first?.note === 'start' && isSandboxCommand(first.code)
  if (!bringsSandbox) await shell.start('npx paylink-sandbox --db :memory:')
  for (const { language, note, code } of blocks) {
    if (note.includes('.')) {
      mkdirSync(dirname(join(folder, note)), { recursive: true })
      writeFileSync(join(folder, note), withPorts(code))
    }
    if (language !== 'sh' || note === 'skip' || note === 'install' || needsMissingProgram(code)) continue
    if (note === 'start') {
      await shell.start(withPorts(code))
      continue
    }
    if (note === 'alone') await shell.stopSandbox()
    const { exitCode, output } = await shell.run(withPorts(code))
    if (exitCode !== 0 && !(note === 'check' && exitCode === 1)) {
      failures.push(`${code}\nexited with ${exitCode}:\n${output}`)
    }
  }
  return failures
}

const needsMissingProgram = (code: string): boolean =>
  ['java', 'php', 'python3', 'ruby'].some(
    (program) =>
      new RegExp(`\\b${program} \\w+`).test(code) && spawnSync(program, ['--version']).error !== undefined,
  )

/** `listen` and an app also keep running, but need a sandbox that runs at the same time. */
const isSandboxCommand = (commands: string): boolean =>
  commands.includes('paylink-sandbox') && !commands.includes(' listen ')

/** Tests in a document get more time, because the machine may be busy. */
const NPX = `#!/bin/sh
if [ "$1" = vitest ]; then set -- "$@" ${LONG_TIMEOUT}; fi
exec "$@"
`

/** Runs commands in `folder`. `npx` starts the installed programs, and does not ask a registry. */
function openShell(folder: string, port: number) {
  const bin = join(folder, '.bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'npx'), NPX)
  chmodSync(join(bin, 'npx'), 0o755)
  const env = {
    ...cleanEnvironment(),
    PATH: [bin, installedPath('node_modules', '.bin'), process.env.PATH].join(delimiter),
    PAYLINK_PORT: `${port}`,
    NO_COLOR: '1',
  }
  const running: { commands: string; isSandbox: boolean; stop: () => Promise<void> }[] = []

  async function stop(isWanted: (one: { commands: string; isSandbox: boolean }) => boolean): Promise<void> {
    for (const one of running.filter(isWanted)) {
      running.splice(running.indexOf(one), 1)
      await one.stop()
    }
  }

  async function run(commands: string) {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
    const [exitCode] = await once(child, 'close')
    return { exitCode: exitCode as number | null, output }
  }

  async function stopSandbox(): Promise<void> {
    await stop(({ isSandbox }) => isSandbox)
    // A sandbox in the background is not a child of this process.
    await run('npx paylink-sandbox stop')
  }

  return {
    run,
    /** Resolves when the program prints that it listens. */
    async start(commands: string): Promise<void> {
      const isSandbox = isSandboxCommand(commands)
      if (isSandbox) await stopSandbox()
      await stop((one) => one.commands === commands)
      const child = spawn('bash', ['-euc', commands], {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      let output = ''
      const closed = once(child, 'close')
      running.push({
        commands,
        isSandbox,
        async stop() {
          if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGTERM')
          await closed
        },
      })
      await new Promise<void>((resolve, reject) => {
        for (const stream of [child.stdout, child.stderr]) {
          stream.on('data', (chunk: Buffer) => {
            output += chunk
            if (/listening|forwarding|server \(\S+\) started/i.test(output)) resolve()
          })
        }
        void closed.then(() => reject(new Error(`${commands}\nended instead of serving:\n${output}`)))
      })
    },
    stopSandbox,
    async [Symbol.asyncDispose](): Promise<void> {
      await stop(() => true)
      await stopSandbox()
    },
  }
}
