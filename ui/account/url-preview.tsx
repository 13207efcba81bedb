import { computed } from '@preact/signals'
import { validateEndpoint, validateUrl } from '../../server/domain/network/urls.ts'
import { api } from '../api.ts'
import { EffectiveTarget } from '../maps/effective-target.tsx'
import { createResource, debounced } from '../resource.ts'
import { currentAccount, shouldLoad } from './current-account.ts'
import { errorOf, fieldOf } from './drafts.ts'

type Place = 'paymentEndpoint' | `${'callbackUrls' | 'webhookUrls'}.${number}`

/** Compared as text: an account that is loaded again with the same is no reason to ask again. */
const typed = computed(() => {
  const account = currentAccount.value
  if (!account) return undefined
  const list = (path: 'callbackUrls' | 'webhookUrls') => fieldOf(account, path).value as readonly string[]
  const as = {
    paymentEndpoint: String(fieldOf(account, 'paymentEndpoint').value),
    callbackUrls: list('callbackUrls'),
    webhookUrls: list('webhookUrls'),
  }
  return JSON.stringify({
    account: account.id,
    as,
    callbackUrl: Object.keys(as.callbackUrls).join(),
    paymentEndpoint: Object.keys(as.webhookUrls).join(),
  })
})

const previewed = createResource((superseded) => {
  const text = typed.value
  if (text === undefined || !shouldLoad()) return undefined
  return debounced(superseded, async () => {
    const json = JSON.parse(text) as Parameters<typeof api.targets.preview.$post>[0]['json']
    const { targets, callbacks, passedOver } = await (await api.targets.preview.$post({ json })).json()
    const own = passedOver ?? targets.find(({ position }) => position === null)
    return { as: json.as, paymentEndpoint: own && [own], webhookUrls: targets, callbackUrls: callbacks }
  })
})

/** Where notifications for a typed address would go where that is not the address itself, or why it cannot be saved. */
export function UrlPreview({ place }: { readonly place: Place }) {
  const [list, index = '0'] = place.split('.') as [Exclude<Place, `${string}.${number}`>, string?]
  const loaded = previewed.value
  const entry = loaded.state === 'loaded' ? loaded.value[list]?.[Number(index)] : undefined
  const wrong = loaded.state === 'loaded' ? objectionTo(loaded.value.as, list, Number(index)) : null
  const isSaid = currentAccount.value && errorOf(currentAccount.value, place) !== undefined
  return (
    <div class="resolved" aria-live="polite">
      {wrong !== null && !isSaid && <span class="wrong">It {wrong}.</span>}
      {wrong === null && entry && entry.url !== null && <EffectiveTarget {...entry} repeats={null} />}
    </div>
  )
}

/** What was asked about, seen as it would be when it is saved. An entry that is still empty was just added. */
function objectionTo(
  as: { readonly [list in Exclude<Place, `${string}.${number}`>]?: string | readonly string[] } | undefined,
  list: Exclude<Place, `${string}.${number}`>,
  index: number,
): string | null {
  const given = as?.[list] ?? ''
  if (typeof given === 'string') return validateEndpoint(given)
  return given[index] ? validateUrl(given[index]) : null
}
