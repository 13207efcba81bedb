import type { AccountView } from '../../../server/contract/views.ts'
import { accountList } from '../../data/accounts.ts'
import { request, withErrorToast } from '../../data/api.ts'
import { copy } from '../../browser/clipboard.ts'
import { useOneAtATime } from '../../browser/use-one-at-a-time.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { showToast } from '../../browser/toasts.ts'
import { Section } from './section.tsx'

type SecretName = 'apiKey' | 'recipientToken'

const titles: Readonly<Record<SecretName, string>> = {
  apiKey: 'API key',
  recipientToken: 'Recipient token',
}

export function Keys({ account }: { readonly account: AccountView }) {
  return (
    <Section name="keys">
      <Secret account={account} name="apiKey" description="Send it in the header token of each call." />
      <Secret
        account={account}
        name="recipientToken"
        description="Other accounts put it in recipients[].token to give this account a share."
      />
      <div class="secret">
        <h3>user_id</h3>
        <code>{account.id}</code>
        <CopyButton text={account.id} what="user_id" />
      </div>
      <EnvLines account={account} />
    </Section>
  )
}

interface SecretProps {
  readonly account: AccountView
  readonly name: SecretName
  readonly description: string
}

function Secret({ account, name, description }: SecretProps) {
  const runOne = useOneAtATime()
  const title = titles[name]
  const secret = account[name]

  return (
    <div class="secret">
      <h3>{title}</h3>
      <code>{secret}</code>
      <div class="actions">
        <CopyButton text={secret} what={title} />
        <button
          type="button"
          class="small"
          aria-label={`Rotate ${title}`}
          onClick={() => runOne(() => rotate(account, name))}
        >
          Rotate
        </button>
      </div>
      <p class="muted">{description}</p>
    </div>
  )
}

async function rotate(account: AccountView, name: SecretName): Promise<void> {
  const param = { id: account.id }
  const before = account[name]
  await withErrorToast(async () => {
    await request('POST /accounts/:id/rotate', { param, json: { secret: name } })
    showToast({
      tone: 'ok',
      text: `${titles[name]} rotated. The old one no longer works.`,
      action: {
        label: 'Undo',
        run: () => withErrorToast(() => request('PATCH /accounts/:id', { param, json: { [name]: before } })),
      },
    })
  })
}

/** The environment variables of an app that uses the sandbox as this account. */
function EnvLines({ account }: { readonly account: AccountView }) {
  const other = accountList.value.find(
    ({ id, environment }) => id !== account.id && environment === 'development',
  )
  const lines = [
    `PAYLINK_URL=${new URL('.', location.href).href.replace(/\/$/, '')}`,
    `PAYLINK_API_KEY=${account.apiKey}`,
    `PAYLINK_USER_ID=${account.id}`,
    ...(other ? [`PAYLINK_RECIPIENT_TOKEN=${other.recipientToken}`] : []),
  ].join('\n')

  return (
    <div class="env">
      <h3>For your app's .env</h3>
      <pre>{lines}</pre>
      <button type="button" onClick={() => copy(lines, '.env lines')}>
        Copy the .env lines
      </button>
      {other && (
        <p class="muted">
          The recipient token is that of {other.name}, because an account cannot receive a share of its own
          payments.
        </p>
      )}
    </div>
  )
}
