/** @jsxImportSource hono/jsx */
import { truncate } from '../../domain/text/truncate.ts'
import type { Link } from '../../domain/links/link.ts'
import { formatEuros } from '../../domain/money/money.ts'
import type { DeveloperInfo } from '../developer-info.ts'
import { checkoutPath } from '../paths.ts'
import { unattendedNames } from '../outcome-parameter.ts'

const TARGETS_SHOWN = 3
const URL_SHOWN = 200

/** What a real checkout lacks: outcomes to choose, and what will come of them. */
export function DeveloperBox({ link, behind }: { link: Link; behind: DeveloperInfo }) {
  const { targets, redirect, tellsOfCancel } = behind

  return (
    <>
      <p class="muted">A real checkout has none of this.</p>
      <form method="post" action={checkoutPath(link)}>
        <input type="hidden" name="method" value="card" />
        <button name="outcome" value="decline" aria-describedby="decline-text">
          Decline the card
        </button>
        <p class="muted" id="decline-text">
          The customer may try again. Nobody is told.
        </p>
        <button name="outcome" value="pay-and-close" aria-describedby="close-text">
          Pay, then close the browser
        </button>
        <p class="muted" id="close-text">
          Paid by card, but the redirect is lost. Only the webhook tells.
        </p>
      </form>
      <dl>
        <dt>Redirect goes to</dt>
        <dd>
          {truncate(link.callbackUrl, URL_SHOWN) || (
            <em>a page of the sandbox, as there is no callback_url</em>
          )}
          <MappedTo address={redirect.mappedTo} />
        </dd>
        <dt>Webhook goes to</dt>
        {targets.length === 0 && (
          <dd>
            <em>nobody, as neither link nor account names a payment endpoint</em>
          </dd>
        )}
        {targets.slice(0, TARGETS_SHOWN).map(({ url, reason, mappedTo }) => (
          <dd>
            {truncate(url, URL_SHOWN)} <MappedTo address={mappedTo} /> <em class="why">{reason}</em>
          </dd>
        ))}
        {targets.length > TARGETS_SHOWN && (
          <dd>
            <em>and {targets.length - TARGETS_SHOWN} more</em>
          </dd>
        )}
        {link.cancellable && !tellsOfCancel && (
          <dd>
            <em>Cancelling sends none (cancelWebhook: skip)</em>
          </dd>
        )}
        <Parts behind={behind} />
        <dt>Without a click, add to the address</dt>
        <dd>
          &amp;outcome={unattendedNames[0]}
          <em>, with {unattendedNames.slice(1).join(', ')} in its place for another outcome</em>
        </dd>
      </dl>
    </>
  )
}

const MappedTo = ({ address }: { address: string | undefined }) =>
  address === undefined ? null : <em>, mapped to {truncate(address, URL_SHOWN)}</em>

function Parts({ behind: { parts, morePartsThanShown: more } }: { behind: DeveloperInfo }) {
  if (parts.length === 0) return null
  const part = ({ name, amount }: (typeof parts)[number]) => (
    <dd class="part">
      <span dir="auto">{name}</span> <span>{formatEuros(amount)}</span>
    </dd>
  )

  return (
    <>
      <dt>Split</dt>
      {parts.slice(0, -1).map(part)}
      {more > 0 && (
        <dd>
          <em>{more} more, in the inspector</em>
        </dd>
      )}
      {parts.slice(-1).map(part)}
    </>
  )
}
