import { readFileSync } from 'node:fs'

const CHECK_MS = 1_000

/**
 * Ends this process soon after npx, as a signal would. If npx is ended, it ends the shell between them, but neither passes
 * the signal on. A sandbox would keep its port. `npx -c 'nohup paylink-sandbox &'` has left its shell on purpose, so only a
 * process that npx started itself is watched. Windows does not say which processes have lost their parent.
 */
export function endWithNpx(env: NodeJS.ProcessEnv): void {
  if (env.npm_command !== 'exec' || !/^\W*paylink-sandbox\b/.test(env.npm_lifecycle_script ?? '')) return
  const ancestors = ancestorsToNpx()
  setInterval(() => {
    if (ancestorsToNpx() !== ancestors) process.kill(process.pid, 'SIGTERM')
  }, CHECK_MS).unref()
}

const SHELL = /^(?:ba|da|a|z)?sh$|^busybox$/

/** The process ids from the parent to npx. It is the parent, or the parent of a shell. Only Linux says that quickly. */
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
