/** @jsxImportSource hono/jsx */
import { truncate } from '../../../domain/text/truncate.ts'
import type { Link } from '../../../domain/links/link.ts'
import { formatEuros } from '../../../domain/money/cents.ts'
import type { DeveloperInfo } from '../developer-info.ts'
import { checkoutPath } from '../paths.ts'
import { outcomeNames } from '../outcome-parameter.ts'

const MAX_TARGETS = 3
const MAX_URL_LENGTH = 200

/** Lets the developer choose outcomes that a real checkout does not offer, and says what they do. */
export function DeveloperBox({ link, info }: { link: Link; info: DeveloperInfo }) {
  const { targets, redirect, sendsCancelWebhook } = info

  return (
    <>
      <p class="muted">A real checkout does not have these controls.</p>
      <form method="post" action={checkoutPath(link)}>
        <input type="hidden" name="method" value="card" />
        <button name="outcome" value="decline" aria-describedby="decline-text">
          Decline the card
        </button>
        <p class="muted" id="decline-text">
          The customer can try again. No webhook is sent.
        </p>
        <button name="outcome" value="pay-and-close" aria-describedby="close-text">
          Pay, then close the browser
        </button>
        <p class="muted" id="close-text">
          The payment succeeds, but the redirect is lost. Only the webhook arrives.
        </p>
      </form>
      <dl>
        <dt>Redirect goes to</dt>
        <dd>
          {truncate(link.callbackUrl, MAX_URL_LENGTH) || (
            <em>a page of the sandbox, because there is no callback_url</em>
          )}
          <MappedTo address={redirect.mappedTo} />
        </dd>
        <dt>Webhook goes to</dt>
        {targets.length === 0 && (
          <dd>
            <em>nowhere, because neither the link nor its account has a payment_endpoint</em>
          </dd>
        )}
        {targets.slice(0, MAX_TARGETS).map(({ url, reason, mappedTo }) => (
          <dd>
            {truncate(url, MAX_URL_LENGTH)} <MappedTo address={mappedTo} /> <em class="why">{reason}</em>
          </dd>
        ))}
        {targets.length > MAX_TARGETS && (
          <dd>
            <em>and {targets.length - MAX_TARGETS} more</em>
          </dd>
        )}
        {link.cancellable && !sendsCancelWebhook && (
          <dd>
            <em>Cancelling sends no webhook (cancelWebhook: skip)</em>
          </dd>
        )}
        <Shares info={info} />
        <dt>To skip the click, add to the address</dt>
        <dd>
          &amp;outcome={outcomeNames[0]}
          <em>, or another outcome: {outcomeNames.slice(1).join(', ')}</em>
        </dd>
      </dl>
    </>
  )
}

const MappedTo = ({ address }: { address: string | undefined }) =>
  address === undefined ? null : <em>, mapped to {truncate(address, MAX_URL_LENGTH)}</em>

function Shares({ info: { shares, hiddenShares } }: { info: DeveloperInfo }) {
  if (shares.length === 0) return null
  const row = ({ name, amount }: (typeof shares)[number]) => (
    <dd class="part">
      <span dir="auto">{name}</span> <span>{formatEuros(amount)}</span>
    </dd>
  )

  return (
    <>
      <dt>Split</dt>
      {shares.slice(0, -1).map(row)}
      {hiddenShares > 0 && (
        <dd>
          <em>{hiddenShares} more, in the inspector</em>
        </dd>
      )}
      {shares.slice(-1).map(row)}
    </>
  )
}
