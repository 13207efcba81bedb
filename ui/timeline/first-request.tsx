import type { ComponentChildren } from 'preact'
import { accountList } from '../accounts.ts'
import { copy } from '../clipboard.ts'
import { curlCommand } from '../../server/domain/http/curl.ts'
import { formatRoute } from '../hash-route.ts'
import { textBody } from '../../server/domain/http/exchange.ts'

/** The first steps in an empty sandbox, with a command that runs without changes. */
export function FirstRequest({ children }: { readonly children?: ComponentChildren }) {
  const [owner, recipient] = accountList.value.filter(({ environment }) => environment === 'development')
  if (!CAN_ACT || !owner || !recipient) {
    return (
      <div class="hint">
        <h2>{CAN_ACT ? 'Waiting for the first request' : 'No requests'}</h2>
        {CAN_ACT && <p>API calls appear here as they happen.</p>}
      </div>
    )
  }
  const command = curlCommand({
    method: 'POST',
    url: new URL('api/v2/createSplitLink', location.href.split('#')[0]).href,
    headers: [
      ['token', owner.apiKey],
      ['content-type', 'application/json'],
    ],
    body: textBody(
      JSON.stringify({
        amount: 100,
        recipients: [{ token: recipient.recipientToken, share: 30 }],
        recipient_note: 'Order 7',
      }),
    ),
  })

  return (
    <div class="hint first">
      <h2>Waiting for the first request</h2>
      <ol>
        <li>
          <p>
            Create a payment link for {owner.name}: run this command, call the API from your code, or press
            New link
            {children ? '' : ' in Payments'}.
          </p>
          <pre tabIndex={0}>{command}</pre>
          <p class="actions">
            <button type="button" onClick={() => copy(command, 'Command')}>
              Copy command
            </button>
            {children}
          </p>
        </li>
        <li>
          {children ? (
            'Select the payment here'
          ) : (
            <>
              Open <a href={formatRoute({ screen: 'payments' })}>Payments</a>, select the payment
            </>
          )}{' '}
          and press <b>Pay by card</b>.
        </li>
        <li>
          Its webhook appears in the <a href={formatRoute({ screen: 'timeline' })}>Timeline</a>. Select it to
          read every byte, and press <b>Replay</b> to send it again.
        </li>
      </ol>
    </div>
  )
}
