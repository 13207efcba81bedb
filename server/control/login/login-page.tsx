/** @jsxImportSource hono/jsx */
import { Head } from '../../platform/pages/head.tsx'
import { STYLE_PATH } from './paths.ts'

interface Props {
  /** The address that the form is sent to. If undefined, the browser uses the address of this page, with its fragment. */
  readonly action: string | undefined
  readonly isWrong: boolean
  /** Whether the browser sent the cookie of an earlier session. */
  readonly isExpired: boolean
}

export const LoginPage = ({ action, isWrong, isExpired }: Props) => (
  <html lang="en">
    <Head title="Log in · paylink-sandbox" style={STYLE_PATH} />
    <body>
      <main>
        <h1>Log in to this sandbox</h1>
        <p class="muted">
          {isExpired && 'Your session has expired. '}The inspector requires the admin token of the sandbox.
        </p>
        <form method="post" {...(action !== undefined && { action })}>
          <label for="token">Admin token</label>
          <input
            id="token"
            type="password"
            name="admin_token"
            required
            autofocus
            autocomplete="current-password"
            {...(isWrong && { 'aria-invalid': 'true', 'aria-describedby': 'problem' })}
          />
          {isWrong && (
            <p id="problem" role="alert">
              This is not the admin token of this sandbox.
            </p>
          )}
          <button type="submit" class="primary">
            Log in
          </button>
        </form>
        <p class="muted">
          Whoever started the sandbox set the token with{' '}
          <code translate="no" class="flag">
            --admin-token
          </code>{' '}
          or <code translate="no">PAYLINK_ADMIN_TOKEN</code>. Ask them for it.
        </p>
        <p class="muted">
          Programs send <code translate="no">Authorization: Bearer &lt;token&gt;</code>. The{' '}
          <a href="/docs">API</a> and the <a href="/docs/guides">guides</a> need no token.
        </p>
      </main>
    </body>
  </html>
)
