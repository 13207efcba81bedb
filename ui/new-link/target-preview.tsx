import type { ComponentChildren } from 'preact'
import { EffectiveTarget } from '../connect/maps/effective-target.tsx'
import { targets } from './form-state.ts'

/** The redirect address that the form resolves to. */
export const RedirectPreview = () => <PreviewGroup name="Redirect">{redirects()}</PreviewGroup>

/** The webhook targets that the form resolves to. */
export const WebhookPreview = () => <PreviewGroup name="Webhooks">{webhooks()}</PreviewGroup>

interface GroupProps {
  readonly name: string
  readonly children: ComponentChildren
}

const PreviewGroup = ({ name, children }: GroupProps) => (
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
          <StatusSymbol tone="ok" /> The default result page.
        </p>
      )}
      {callbacks.map(({ isUsed, ...entry }) => (
        <Entry
          key={entry.position}
          entry={entry}
          tone={isUsed ? 'ok' : 'plain'}
          why={isUsed ? reasonOf(entry, 'callback URLs') : 'Not used, because only the first URL is used.'}
        />
      ))}
    </>
  )
}

function webhooks() {
  const loaded = targets.value
  if (loaded.state === 'loading') return null
  if (loaded.state === 'failed') return <p class="error">{loaded.reason}</p>
  const { targets: resolved, passedOver } = loaded.value
  return (
    <>
      {resolved.length === 0 && (
        <p>
          <StatusSymbol tone="plain" /> No webhook, because neither the link nor the account has an endpoint.
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
          <StatusSymbol tone="plain" /> {passedOver.url}
          <span class="explanation muted">
            Not used: the account’s payment endpoint applies only to links without one.
          </span>
        </p>
      )}
    </>
  )
}

type PreviewedTarget = Parameters<typeof EffectiveTarget>[0] & {
  readonly entry: string | null
  readonly reason: string
  readonly consequence: 'refused' | 'left-out' | null
}

interface Props {
  readonly entry: PreviewedTarget
  readonly tone: keyof typeof SYMBOLS
  readonly why: string
}

const consequences = { refused: 'The link would be rejected.', 'left-out': 'It is ignored.' } as const

/** Why an entry has this URL. Empty if the entry is the URL itself. */
function reasonOf({ entry, url }: PreviewedTarget, list: string): string {
  if (entry === null) return 'The account’s payment endpoint, because the link has none.'
  return entry === url ? '' : `Index ${entry} of the account’s ${list}.`
}

const Entry = ({ entry, tone, why }: Props) =>
  entry.url === null ? (
    <p>
      <StatusSymbol tone={entry.consequence === 'left-out' ? 'plain' : 'err'} /> {entry.reason}.{' '}
      {entry.consequence !== null && <span class="muted">{consequences[entry.consequence]}</span>}
    </p>
  ) : (
    <p>
      <StatusSymbol tone={tone} /> {entry.url}
      <span class="explanation">
        <span class="muted">{why} </span>
        <EffectiveTarget {...entry} />
      </span>
    </p>
  )

const SYMBOLS = { ok: '✓', warn: '○', err: '✕', plain: '–' } as const

const StatusSymbol = ({ tone }: { readonly tone: keyof typeof SYMBOLS }) => (
  <span class="status" data-tone={tone} aria-hidden="true">
    {SYMBOLS[tone]}
  </span>
)
