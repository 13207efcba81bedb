import { targets } from './form-state.ts'

/** What the addresses resolve to, entry by entry, and why. */
export function TargetPreview() {
  const loaded = targets.value
  if (loaded.state === 'loading') return null
  if (loaded.state === 'failed') return <p class="wrong">{loaded.reason}</p>
  const { callbacks, targets: webhooks } = loaded.value

  return (
    <dl class="facts resolved" aria-label="Where it would go">
      <dt>Redirect</dt>
      <dd>
        {!callbacks.some(({ isUsed }) => isUsed) && <p>the default result page</p>}
        {callbacks.map(({ position, url, because, isUsed }) => (
          <p key={position}>
            <Mark tone={url === null ? 'err' : isUsed ? 'ok' : 'plain'} /> {url ?? because}{' '}
            {url !== null && (
              <span class="muted">{isUsed ? because : 'not used, only the first URL is'}</span>
            )}
          </p>
        ))}
      </dd>
      <dt>Webhooks</dt>
      <dd>
        {webhooks.length === 0 && <p>none: neither the link nor the account names an endpoint</p>}
        {webhooks.map(({ position, url, because, heldBecause }) => (
          <p key={position}>
            <Mark tone={url === null ? 'err' : heldBecause === null ? 'ok' : 'warn'} /> {url ?? because}{' '}
            {url !== null && <span class="muted">{because}</span>}
            {heldBecause !== null && <span class="held"> It would be held: {heldBecause}</span>}
          </p>
        ))}
      </dd>
    </dl>
  )
}

const marks = { ok: '✓', warn: '○', err: '✕', plain: '–' } as const

const Mark = ({ tone }: { readonly tone: keyof typeof marks }) => (
  <span class="status" data-tone={tone} aria-hidden="true">
    {marks[tone]}
  </span>
)
