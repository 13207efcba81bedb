import { accountList } from '../data/accounts.ts'
import { copy } from '../browser/clipboard.ts'
import { requestCode } from '../details/request-code.ts'
import { curlCommand } from '../../server/domain/http/curl.ts'
import { textBody } from '../../server/domain/http/exchange.ts'
import { storedChoice } from '../browser/local-storage.ts'
import { Icon } from '../components/icon.tsx'
import { Segmented } from '../components/segmented.tsx'
import { apiUrl } from '../data/urls.ts'
import { shop } from './shop.ts'

const languages = [
  ['curl', 'curl'],
  ['fetch', 'fetch'],
  ['python', 'Python'],
  ['php', 'PHP'],
] as const

const language = storedChoice('first-call', ['curl', 'fetch', 'python', 'php'])

/** A first call of the API, as code that runs unchanged. */
export function FirstCall() {
  const owner = shop.value
  if (!owner) return null
  const courier = accountList.value.find(
    ({ id, environment }) => id !== owner.id && environment === 'development',
  )
  const request = {
    method: 'POST',
    url: apiUrl(courier ? 'createSplitLink' : 'createLink'),
    headers: [
      ['token', owner.apiKey],
      ['content-type', 'application/json'],
    ],
    body: textBody(
      JSON.stringify({
        amount: 48,
        recipient_note: 'Order 1',
        ...(courier && { recipients: [{ token: courier.recipientToken, share: 30 }] }),
      }),
    ),
  } as const
  const code =
    language.value === 'curl' ? curlCommand(request) : requestCode(language.value, request).trimEnd()
  return (
    <div class="first-call">
      <p class="muted or">or call the API from your code</p>
      <div class="bar">
        <Segmented
          label="Language"
          options={languages}
          value={language.value}
          onValue={(value) => (language.value = value)}
        />
        <button type="button" class="quiet" onClick={() => copy(code, 'Command')}>
          <Icon name="copy" size={14} />
          Copy command
        </button>
      </div>
      <pre tabIndex={0}>{code}</pre>
      <p class="muted">Account {owner.name}, development. Its key works only in this sandbox.</p>
    </div>
  )
}
