import type { TunnelView } from '../../../server/contract/views.ts'
import { plural } from '../../../server/contract/format/values.ts'
import { request, withErrorToast } from '../../data/api.ts'
import { ConfirmButton } from '../accounts/confirm-button.tsx'
import { Time } from '../../components/time.tsx'

interface Props {
  readonly tunnel: string
  readonly listener: TunnelView['listeners'][number]
}

/** A listener of a tunnel, with its state and the number of requests queued for it. */
export function ListenerItem({ tunnel, listener: { id, to, state, target, awaySince, waiting } }: Props) {
  const isConnected = state === 'connected'
  return (
    <p class="card-footer listener">
      <span title={`→ ${to}`}>
        <span class="status" data-tone={isConnected ? 'ok' : 'warn'}>
          {isConnected ? '✓ connected' : '○ disconnected'}
        </span>{' '}
        <strong>{id}</strong> {isConnected && <span class="muted">→ {to}</span>}
      </span>
      <span class="muted">
        {waiting === 0 ? 'No queued requests' : `${plural(waiting, 'request')} queued`}
        {awaySince !== null && (
          <>
            , since <Time at={awaySince} style="since" />
          </>
        )}
        {target === 'down' && (
          <>
            , <span class="error">✕ app unreachable</span>
          </>
        )}
      </span>
      {waiting === 0 ? (
        <button
          type="button"
          class="small danger-text"
          aria-label={`Remove listener ${id}`}
          onClick={() => withErrorToast(() => removeListener(tunnel, id))}
        >
          Remove
        </button>
      ) : (
        <ConfirmButton
          label="Remove…"
          name={`Remove listener ${id}`}
          class="small danger-text"
          question={`Remove listener ${id}?`}
          yes="Remove"
          action={() => removeListener(tunnel, id)}
          onDone={() => {}}
        >
          The sandbox does not forward its {plural(waiting, 'queued request')}. This cannot be undone.
        </ConfirmButton>
      )}
    </p>
  )
}

const removeListener = (name: string, id: string): Promise<unknown> =>
  request('DELETE /tunnels/:name/listeners/:id', { param: { name, id } })
