import type { ComponentChildren } from 'preact'
import { EffectiveTarget } from '../maps/effective-target.tsx'
import { targets } from './form-state.ts'

/** Where the browser would go, and why. */
export const RedirectPreview = () => <Resolved name="Redirect">{redirects()}</Resolved>

/** What the payment endpoint resolves to, entry by entry, and why. */
export const WebhookPreview = () => <Resolved name="Webhooks">{webhooks()}</Resolved>

interface ResolvedProps {
  readonly name: string
  readonly children: ComponentChildren
}

const Resolved = ({ name, children }: ResolvedProps) => (
  <div class="resolved" role="group" aria-label={name} aria-live="polite">
    {children}
  </div>
)

function redirects() {
  const loaded = targets.value
  if (loaded.state !== 'loaded') return null
  const { callbacks } = loaded.value
  return (
    <>
      {!callbacks.some(({ isUsed }) => isUsed) && (
        <p>
          <Mark tone="ok" /> The default result page.
        </p>
      )}
      {callbacks.map(({ isUsed, ...entry }) => (
        <Entry
          key={entry.position}
          entry={entry}
          tone={isUsed ? 'ok' : 'plain'}
          why={isUsed ? reasonOf(entry, 'callback URLs') : 'Not used, only the first URL is.'}
        />
      ))}
    </>
  )
}

function webhooks() {
  const loaded = targets.value
  if (loaded.state === 'loading') return null
  if (loaded.state === 'failed') return <p class="wrong">{loaded.reason}</p>
  const { targets: resolved, passedOver } = loaded.value
  return (
    <>
      {resolved.length === 0 && (
        <p>
          <Mark tone="plain" /> No webhook: neither the link nor the account names an endpoint.
        </p>
      )}
      {resolved.map((entry) => (
        <Entry
          key={entry.position}
          entry={entry}
          tone={entry.verdict === 'send' ? 'ok' : entry.verdict === 'never' ? 'err' : 'warn'}
          why={reasonOf(entry, 'webhook URLs')}
        />
      ))}
      {passedOver !== null && (
        <p>
          <Mark tone="plain" /> {passedOver.url}
          <span class="said muted">
            Not used: the account’s payment endpoint counts only where the link names none.
          </span>
        </p>
      )}
    </>
  )
}

type Previewed = Parameters<typeof EffectiveTarget>[0] & {
  readonly entry: string | null
  readonly reason: string
  readonly consequence: 'refused' | 'left-out' | null
}

interface Props {
  readonly entry: Previewed
  readonly tone: keyof typeof marks
  readonly why: string
}

const consequences = { refused: 'The link would be refused.', 'left-out': 'It is left out.' } as const

/** Why an entry stands for its URL, where that cannot be seen. */
function reasonOf({ entry, url }: Previewed, list: string): string {
  if (entry === null) return 'The account’s payment endpoint, as the link names none.'
  return entry === url ? '' : `Index ${entry} of the account’s ${list}.`
}

const Entry = ({ entry, tone, why }: Props) =>
  entry.url === null ? (
    <p>
      <Mark tone={entry.consequence === 'left-out' ? 'plain' : 'err'} /> {entry.reason}.{' '}
      {entry.consequence !== null && <span class="muted">{consequences[entry.consequence]}</span>}
    </p>
  ) : (
    <p>
      <Mark tone={tone} /> {entry.url}
      <span class="said">
        <span class="muted">{why} </span>
        <EffectiveTarget {...entry} />
      </span>
    </p>
  )

const marks = { ok: '✓', warn: '○', err: '✕', plain: '–' } as const

const Mark = ({ tone }: { readonly tone: keyof typeof marks }) => (
  <span class="status" data-tone={tone} aria-hidden="true">
    {marks[tone]}
  </span>
)
