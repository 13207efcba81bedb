import { setTimeout as pause } from 'node:timers/promises'
import type { Trouble } from '../../platform/system/file-trouble.ts'
import type { Leadership } from '../../store/engine.ts'

/** The current role of this process. */
export type Role =
  /** The app of this process handles requests if `confirm` resolves. */
  | ({ readonly name: 'leader'; readonly url: string } & Omit<Leadership, 'followers'>)
  /** Another process handles requests. */
  | { readonly name: 'follower'; readonly url: string; readonly version: string | null }
  /** No process is known to handle requests. */
  | { readonly name: 'none'; readonly trouble?: Trouble }
  | { readonly name: 'stopping' }

/** Why a process that is able to lead cannot reach the database. */
export const troubleOf = (role: Role): Trouble | undefined =>
  role.name === 'leader' ? role.trouble() : role.name === 'none' ? role.trouble : undefined

/** How long a request waits for a leader. */
export const LEADER_TIMEOUT_MS = 10_000
const RETRY_MS = 100

/** Knows the current role of this process. If no process leads, callers can wait for a leader. */
export function createCurrentRole() {
  let role: Role = { name: 'none' }
  const waiting = new Set<() => void>()

  /** The URL of the leader. If there is no leader, waits for one until the deadline. */
  async function leaderUrl(deadline: number): Promise<string | undefined> {
    while (role.name === 'none') {
      const left = deadline - performance.now()
      if (left <= 0) return undefined
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          clearTimeout(timer)
          waiting.delete(wake)
          resolve()
        }
        const timer = setTimeout(wake, left)
        waiting.add(wake)
      })
    }
    return role.name === 'stopping' ? undefined : role.url
  }

  return {
    current: (): Role => role,
    /** Whether it is certain that this process leads. */
    isCertain: (): boolean => role.name === 'leader' && role.isCertain(),
    /** Changes the role. Returns whether there is a different leader, or none. */
    change(next: Role): boolean {
      const isSameLeader = 'url' in role && 'url' in next && role.url === next.url
      role = next
      for (const wake of waiting) wake()
      return !isSameLeader
    },
    /** Whether this process leads. If that is uncertain, asks the database. */
    async isLeading(): Promise<boolean> {
      const askedRole = role
      if (askedRole.name !== 'leader') return false
      // If another process leads, the role will change in a moment.
      await askedRole.confirm().catch(() => new Promise((resolve) => void setImmediate(resolve)))
      return role === askedRole && askedRole.isCertain()
    },
    /** Repeats an attempt to forward a request until a leader accepts it. Resolves with `false` if none does. */
    async keepTrying(attempt: (url: string) => Promise<boolean>): Promise<boolean> {
      const deadline = performance.now() + LEADER_TIMEOUT_MS
      for (;;) {
        const url = await leaderUrl(deadline)
        if (url === undefined) return false
        if (await attempt(url)) return true
        if (performance.now() > deadline) return false
        await pause(RETRY_MS)
      }
    },
  }
}
