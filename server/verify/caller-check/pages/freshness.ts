import { setTimeout as pause } from 'node:timers/promises'
import type { PageAnswer } from '../../app/orders/open-page.ts'
import { CACHED_MS } from '../../app/run/time-limit.ts'

const PAGE_POLL_MS = 250

/** Opens a page again and again while it may be cached, until it is as wanted. Returns the page that was opened last. */
export async function openUntil(
  open: () => Promise<PageAnswer>,
  isWanted: (page: PageAnswer) => boolean | Promise<boolean>,
  signal: AbortSignal | undefined,
): Promise<PageAnswer> {
  const end = performance.now() + CACHED_MS
  for (;;) {
    const page = await open()
    if ((await isWanted(page)) || performance.now() > end) return page
    await pause(PAGE_POLL_MS, undefined, { signal })
  }
}

export const headerIn = (lines: string, name: string): string =>
  [...lines.matchAll(new RegExp(`^${name}: *(.*)$`, 'gim'))].map(([, value = '']) => value).join(', ')

const PERMANENT: ReadonlySet<number> = new Set([301, 308])

/** For how long a browser may show a response again without a request, and what allows it. `undefined` if not at all. */
export function freshness({
  status,
  headerLines,
}: Pick<PageAnswer, 'status' | 'headerLines'>):
  | { readonly ms: number; readonly because: string }
  | undefined {
  const control = headerIn(headerLines, 'cache-control').toLowerCase()
  if (/\bno-(store|cache)\b/.test(control)) return undefined
  const maxAge = /(?:^|[\s,])(?:s-)?max-age *= *"?(\d+)/.exec(control)?.[1]
  if (maxAge !== undefined)
    return { ms: Number(maxAge) * 1000, because: `its header Cache-Control: ${control}` }
  const time = (name: string): number => Date.parse(headerIn(headerLines, name))
  const now = time('date') || Date.now()
  const expires = headerIn(headerLines, 'expires')
  if (expires !== '') return { ms: (time('expires') || now) - now, because: `its header Expires: ${expires}` }
  if (PERMANENT.has(status)) return { ms: Infinity, because: `its status ${status}` }
  // Without any other header, browsers keep a page for a tenth of its age.
  const modified = headerIn(headerLines, 'last-modified')
  return modified === ''
    ? undefined
    : { ms: (now - time('last-modified')) / 10, because: `its header Last-Modified: ${modified}` }
}
