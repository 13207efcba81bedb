import { formatRoute } from '../hash-route.ts'
import { log } from '../session.ts'

const MAX_ENTRIES = 20

/** Explains the next step after the first link, until there is a webhook. */
export function NextStep() {
  const { entries, eventIndex } = log.journal.value
  const isOver = entries.length > MAX_ENTRIES || entries.some(({ row }) => row.kind === 'webhook')
  const [payId] = eventIndex.payments.keys()
  if (!CAN_ACT || isOver || payId === undefined) return null
  return (
    <p class="notice tip">
      <span>
        Next: open <a href={formatRoute({ screen: 'payments', id: payId })}>payment {payId}</a> and press{' '}
        <b>Pay by card</b>. Its webhook appears here; select it to read every byte, and press <b>Replay</b> to
        send it again.
      </span>
    </p>
  )
}
