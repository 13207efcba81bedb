const MIN_MS = 0.5
const MAX_MS = 10_000
const SLOW_MS = 1_000

/** The position of a duration on a logarithmic scale from 0.5 ms to 10 s, in percent. */
export const logShare = (ms: number): number =>
  (100 * Math.log(Math.max(MIN_MS, Math.min(MAX_MS, ms)) / MIN_MS)) / Math.log(MAX_MS / MIN_MS)

/** How long something took, as a bar. Slow ones are amber, those that reached the timeout are red. */
export const TookBar = ({ ms }: { readonly ms: number }) => (
  <span class="took-bar" aria-hidden="true" data-tone={ms >= MAX_MS ? 'err' : ms >= SLOW_MS ? 'warn' : 'ok'}>
    <span style={{ width: `${Math.max(4, logShare(ms))}%` }} />
  </span>
)
