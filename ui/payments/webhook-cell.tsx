import { clockTime } from '../browser/time-text.ts'
import type { WebhookMark, WebhookState } from '../../server/contract/format/webhook-marks.ts'

const words: Readonly<Record<WebhookState, string>> = {
  delivered: 'delivered',
  failed: 'failed',
  held: 'held',
  retrying: 'retry',
  queued: 'queued',
  stored: 'stored',
}

export const ELSEWHERE = 'elsewhere'

/** The states that the cell shows as a word, the worst first. */
const named = ['failed', 'held', 'retrying', 'queued', 'stored'] as const

/** A cell has room for this many marks beside a word. */
const MAX_MARKS = 2

/**
 * Shows a mark for each target, or only the worst one if there are many targets. Adds a word unless every target has received
 * its webhook.
 */
export function WebhookCell({ webhooks }: { readonly webhooks: readonly WebhookMark[] }) {
  if (webhooks.length === 0) {
    return (
      <span class="muted">
        <span aria-hidden="true">–</span>
        <span class="visually-hidden">none</span>
      </span>
    )
  }
  const worst = named.find((wanted) => webhooks.some(({ state }) => state === wanted))
  const matching = webhooks.filter(({ state }) => state === worst)
  const count = webhooks.length > 1 ? `${matching.length} ` : ''
  const shown = webhooks.length > MAX_MARKS ? [matching[0] ?? webhooks[0]!] : webhooks
  const isElsewhere = webhooks.some(({ deliveredTo }) => deliveredTo !== undefined)
  const next = worst === 'retrying' ? matching[0]?.nextAttemptAt : undefined
  return (
    <span class="webhooks" data-state={worst ?? 'delivered'}>
      {shown.map((mark) => (
        <Mark key={mark.target} mark={mark} />
      ))}
      {worst === undefined ? (
        <span class="word">
          {webhooks.length > 1 && `${webhooks.length} `}
          <span class="visually-hidden">delivered </span>
          {isElsewhere && ELSEWHERE}
        </span>
      ) : (
        <span class="word">
          {count}
          {words[worst]}
          {next && ` ${clockTime(next)}`}
        </span>
      )}
    </span>
  )
}

/** Each state has a different shape, because colors alone are not enough. */
const Mark = ({
  mark: { target, deliveredTo, state, at, nextAttemptAt },
}: {
  readonly mark: WebhookMark
}) => (
  <svg class="webhook-mark" data-state={state} width={14} height={14} viewBox="0 0 14 14" aria-hidden="true">
    <title>
      {`${target}: ${state}${deliveredTo === undefined ? '' : ` to ${deliveredTo}`} at ${clockTime(at)}${nextAttemptAt === null ? '' : `, next attempt at ${clockTime(nextAttemptAt)}`}`}
    </title>
    {state === 'delivered' && <circle class="filled" cx={7} cy={7} r={4} />}
    {state === 'failed' && (
      <>
        <circle class="filled" cx={7} cy={7} r={6.5} />
        <path class="cross" d="m4.8 4.8 4.4 4.4m0-4.4-4.4 4.4" />
      </>
    )}
    {state === 'held' && (
      <>
        <circle class="ring" cx={7} cy={7} r={5.8} />
        <path class="ring" d="M5.6 5v4M8.4 5v4" />
      </>
    )}
    {state === 'retrying' && (
      <>
        <circle class="ring" cx={7} cy={7} r={5.8} stroke-dasharray="2.4 1.6" />
        <path class="ring" d="M7 4.2V7l1.8 1.2" />
      </>
    )}
    {state === 'stored' && <path class="ring" d="M3 7.5V11h8V7.5M7 2.5v5.6M4.8 6 7 8.2 9.2 6" />}
    {state === 'queued' && <circle class="ring" cx={7} cy={7} r={4} stroke-dasharray="2 1.6" />}
  </svg>
)
