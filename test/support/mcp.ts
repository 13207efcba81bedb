import { Client } from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { run } from '../../server/cli/run.ts'
import { cleanEnvironment, temporaryFolder } from './process.ts'

interface ToolResult {
  readonly isError: boolean
  /** The whole text that the model gets. */
  readonly text: string
  /** The text before the data from others. */
  readonly words: string
  readonly lines: readonly string[]
  readonly inspector: string | undefined
  readonly untrusted: Readonly<Record<string, unknown>>
}

/** Calls a tool and reads its answer. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<ToolResult> {
  const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: args })
  const [first] = content as { type: string; text: string }[]
  const { lines = [], inspector, untrusted = {} } = (structuredContent ?? {}) as Partial<ToolResult>
  const text = first!.text
  return { isError, text, words: text.split('```')[0]!, lines, inspector, untrusted }
}

/** Runs `mcp` in this process, and connects a client to its stdin and stdout. */
export async function startMcp(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const folder = temporaryFolder()
  const stdin = new PassThrough()
  const answers = new PassThrough()
  const output = { stdout: '', stderr: '' }
  const signals = new EventEmitter()
  const closed = run(['mcp', ...args], {
    stdin,
    stdout: {
      write(text) {
        output.stdout += text
        answers.write(text)
      },
    },
    stderr: { write: (text) => (output.stderr += text) },
    env: { ...cleanEnvironment(), ...env },
    cwd: folder.path,
    signals,
  })
  const client = new Client({ name: 'test', version: '1' })
  // The two ends of these streams and of the server's streams are connected, with the same messages.
  await client.connect(new StdioServerTransport(answers, stdin))

  return {
    client,
    output,
    closed,
    call: (name: string, given?: Record<string, unknown>) => callTool(client, name, given),
    /** Sends the command a signal. */
    interrupt: (signal: NodeJS.Signals): void => void signals.emit(signal),
    /** Closes stdin, like an assistant that ends. */
    end(): Promise<number> {
      stdin.end()
      return closed
    },
    async [Symbol.asyncDispose](): Promise<void> {
      stdin.end()
      await closed
      answers.end()
      await client.close()
      folder[Symbol.dispose]()
    },
  }
}
