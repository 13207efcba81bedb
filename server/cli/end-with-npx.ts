import { readFileSync } from 'node:fs'

const CHECK_MS = 1_000

/**
 * Ends this process soon after npx has ended. npx and the shell that it starts do not pass signals on, so the sandbox would keep
 * its port. With `npx -c 'nohup paylink-sandbox &'`, the user wants the process to outlive the shell, so a process is watched
 * only if npx itself started it. On Windows, a process cannot notice that its parent has ended.
 */
export function endWithNpx(env: NodeJS.ProcessEnv): void {
  if (env.npm_command !== 'exec' || !/^\W*paylink-sandbox\b/.test(env.npm_lifecycle_script ?? '')) return
  const ancestors = ancestorsToNpx()
  setInterval(() => {
    if (ancestorsToNpx() !== ancestors) process.kill(process.pid, 'SIGTERM')
  }, CHECK_MS).unref()
}

const SHELL = /^(?:ba|da|a|z)?sh$|^busybox$/

/**
 * The process ids from the parent up to npx. The parent is either npx or a shell that npx has started. They can be found quickly
 * only on Linux.
 */
function ancestorsToNpx(): string {
  const parent = process.ppid
  try {
    const stat = readFileSync(`/proc/${parent}/stat`, 'utf8')
    const [, name = '', grandparent = ''] = /^\d+ \((.*)\) \S (\d+)/s.exec(stat) ?? []
    return SHELL.test(name) ? `${parent} ${grandparent}` : `${parent}`
  } catch {
    return `${parent}`
  }
}
