import { GuideLink } from '../../components/guide-link.live.tsx'
import { computed } from '@preact/signals'
import { accountList, accounts } from '../../data/accounts.ts'
import { SandboxError } from '../../../server/contract/sandbox-error.ts'
import { withErrorToast, SANDBOX_UNREACHABLE } from '../../data/api.ts'
import type { TunnelView } from '../../../server/contract/views.ts'
import { DEFAULT_TUNNEL_ANSWER } from '../../../server/domain/network/tunnel.ts'
import { formatSize, plural } from '../../../server/contract/format/values.ts'
import { formatRoute } from '../../browser/hash-route.ts'
import { log } from '../../data/session.ts'
import { CopyableText } from '../../components/copyable-text.tsx'
import { Time } from '../../components/time.tsx'
import { AnswerButton } from './answer-button.tsx'
import { sandboxInfo } from '../../data/sandbox-info.ts'
import { ListenerItem } from './listener.tsx'
import { tunnelStates } from './tunnel-states.ts'
import { useLoaded } from '../../data/use-loaded.ts'

/** The tunnels of the accounts, and all others that the sandbox knows. */
export function TunnelList() {
  const isLoaded = useLoaded(accounts, tunnelStates, sandboxInfo)
  const { tunnels } = log.journal.value.eventIndex
  const states = tunnelStates.value.state === 'loaded' ? tunnelStates.value.value : []
  const known = states.map(({ name }) => name)
  const names = [...new Set([...accountList.value.flatMap(tunnelOf), ...tunnels.keys(), ...known])]
  return (
    <section aria-label="Tunnels">
      <p>
        A tunnel is an address of the sandbox that records all requests, so that you can inspect webhooks
        without a receiver. <code>npx paylink-sandbox listen &lt;name&gt; --forward-to &lt;url&gt;</code>{' '}
        forwards them to your app, on any machine. A name consists of lower-case letters, digits and dashes.
        <GuideLink page="tunnels" about="tunnels" />
      </p>
      {isLoaded && (
        <ul class="cards">
          {names.map((name) => (
            <Tunnel key={name} name={name} state={states.find((state) => state.name === name)} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** The origins of the sandbox: of this page, and of its public URL. */
const ownOrigins = computed(() => [
  location.origin,
  ...(sandboxInfo.value.state === 'loaded' ? [sandboxInfo.value.value.url] : []),
])

/**
 * The tunnel that receives an account's webhooks. Compares the host as well, because a URL of another host may have the same
 * path.
 */
function tunnelOf({ paymentEndpoint }: { readonly paymentEndpoint: string }): string[] {
  const own = ownOrigins.value.find((origin) => paymentEndpoint.startsWith(`${origin}/tunnel/`))
  return own === undefined
    ? []
    : (/^\/tunnel\/([a-z0-9-]+)/.exec(paymentEndpoint.slice(own.length))?.slice(1) ?? [])
}

const MAX_SHOWN = 5

interface Props {
  readonly name: string
  /** `undefined` for a tunnel that has no requests and no listeners. */
  readonly state: TunnelView | undefined
}

function Tunnel({ name, state }: Props) {
  // Read here and not passed as a prop, because the list grows in place, and a prop would not render the component again.
  const captured = log.journal.value.eventIndex.tunnels.get(name) ?? []
  const url = new URL(`tunnel/${name}`, location.href.split('#')[0]).href
  const owners = accountList.value.filter((account) => tunnelOf(account).includes(name))
  const answer = state?.answer ?? DEFAULT_TUNNEL_ANSWER

  return (
    <li class="card">
      <h3>{name}</h3>
      <CopyableText text={url} what={`the address of ${name}`} />
      {owners.length > 0 && (
        <p class="muted">Payment endpoint of {owners.map((account) => account.name).join(', ')}</p>
      )}
      {state?.listeners.map((listener) => (
        <ListenerItem key={listener.id} tunnel={name} listener={listener} />
      ))}
      <ol class="captures">
        {captured
          .slice(-MAX_SHOWN)
          .toReversed()
          .map(({ seq, at, method, path, size }) => (
            <li key={seq}>
              <a href={formatRoute({ screen: 'timeline', id: seq })}>
                <Time at={at} />
              </a>{' '}
              {method} {path.slice(`/tunnel/${name}`.length) || '/'}{' '}
              <span class="muted">{formatSize(size)}</span>
            </li>
          ))}
      </ol>
      <div class="card-end">
        <p class="muted">
          {plural(captured.length, 'request')} received, responds with {answer.status}
        </p>
        <div class="actions">
          <AnswerButton name={name} answer={answer} />
          <button type="button" onClick={() => sendSample(url)}>
            Send a sample
          </button>
        </div>
      </div>
    </li>
  )
}

/** Sends a request to the tunnel that looks like a webhook. */
const sendSample = (url: string): Promise<unknown> =>
  withErrorToast(async () => {
    const body = new URLSearchParams({ ResponseCode: '1', 'data[pay_id]': '0', 'data[status]': 'Success' })
    await fetch(url, { method: 'POST', body }).catch(() => {
      throw new SandboxError(SANDBOX_UNREACHABLE, `POST ${url}`, null)
    })
  })
