import { SLOW_ANSWER_MS, WEBHOOK_TIMEOUT_MS } from '../../server/domain/webhooks/limits.ts'

const MIN_MS = 0.5

/** The position of a duration on a logarithmic scale from 0.5 ms to the timeout of a webhook, in percent. */
export const logShare = (ms: number): number =>
  (100 * Math.log(Math.max(MIN_MS, Math.min(WEBHOOK_TIMEOUT_MS, ms)) / MIN_MS)) /
  Math.log(WEBHOOK_TIMEOUT_MS / MIN_MS)

/** How long something took, as a bar. Slow bars are amber. Bars that have reached the timeout are red. */
export const TookBar = ({ ms }: { readonly ms: number }) => (
  <span
    class="took-bar"
    aria-hidden="true"
    data-tone={ms >= WEBHOOK_TIMEOUT_MS ? 'err' : ms >= SLOW_ANSWER_MS ? 'warn' : 'ok'}
  >
    <span style={{ width: `${Math.max(4, logShare(ms))}%` }} />
  </span>
)
