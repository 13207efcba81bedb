import type { ChildProcess } from 'node:child_process'
import type { StartOptions } from '../options.ts'

/** Opens the inspector in the default browser. A machine without one is told of in a line, and that is all. */
export async function openInspector(
  url: string,
  { adminToken, quiet }: Pick<StartOptions, 'adminToken' | 'quiet'>,
): Promise<void> {
  const token = adminToken === undefined ? '' : `?admin_token=${encodeURIComponent(adminToken)}`
  const note = () => {
    if (!quiet) process.stderr.write(`No browser could be opened here. The inspector is at ${url}/\n`)
  }
  try {
    const { default: open } = await import('open')
    // What opens it goes on for as long as a browser that was not running before.
    const opener: ChildProcess = await open(`${url}/${token}`)
    opener.once('exit', (code) => code !== 0 && note())
  } catch {
    note()
  }
}
