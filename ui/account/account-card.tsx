import type { ShownAccount } from '../accounts.ts'
import { copy } from '../clipboard.ts'
import { Fact } from '../details/fact.tsx'

export function AccountCard({ account }: { readonly account: ShownAccount }) {
  const { name, environment, apiKey, recipientToken, paymentEndpoint, webhookUrls, callbackUrls } = account
  return (
    <article class="card">
      <h3>
        {name} {environment === 'production' && <span class="chip">production</span>}
      </h3>
      <dl class="facts">
        <Fact name="API key">
          <Copied text={apiKey} what={`API key of ${name}`} />
        </Fact>
        <Fact name="Recipient token">
          <Copied text={recipientToken} what={`Recipient token of ${name}`} />
        </Fact>
        <Fact name="user_id">{account.id}</Fact>
        <Fact name="Payment endpoint">{paymentEndpoint === '' ? <None /> : paymentEndpoint}</Fact>
        <Fact name="Webhook URLs">
          <UrlList urls={webhookUrls} />
        </Fact>
        <Fact name="Callback URLs">
          <UrlList urls={callbackUrls} />
        </Fact>
        <Fact name="Bank transfer">{account.bankTransfer ? 'offered' : 'not offered'}</Fact>
      </dl>
    </article>
  )
}

const None = () => <span class="muted">none</span>

function Copied({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span class="copied">
      <code>{text}</code>
      <button type="button" class="small" aria-label={`Copy ${what}`} onClick={() => copy(text, what)}>
        Copy
      </button>
    </span>
  )
}

/** With the index by which a request names each. */
function UrlList({ urls }: { readonly urls: readonly string[] }) {
  if (urls.length === 0) return <None />
  return (
    <ol class="urls" start={0}>
      {urls.map((url, index) => (
        <li key={index}>{url}</li>
      ))}
    </ol>
  )
}
