import { effect, signal } from '@preact/signals'
import type { AccountView } from '../../server/contract/views.ts'
import { accountList } from '../accounts.ts'
import { api, catchRequestError, type RequestError } from '../api.ts'
import { showToast } from '../toasts.ts'

export type Value = string | boolean | readonly string[]

/** A field of an account, as the control API names it in a refusal. */
export type Path =
  | 'name'
  | 'paymentEndpoint'
  | 'serviceFee'
  | 'bankTransfer'
  | 'callbackUrls'
  | 'webhookUrls'
  | `billing.${keyof AccountView['billing']}`

/** What somebody typed and has not saved. It outlives every reload of the account, and other screens. */
interface Draft {
  readonly value: Value
  /** What the account had when the typing began. */
  readonly base: Value
  /** Saved, and shown until the account arrives with it. */
  readonly isSaved?: true
}

const drafts = signal<ReadonlyMap<string, Draft>>(new Map())
const errors = signal<ReadonlyMap<string, string>>(new Map())

const keyOf = ({ id }: AccountView, path: string): string => `${id}/${path}`

const same = (one: Value, other: Value): boolean => JSON.stringify(one) === JSON.stringify(other)

const read = (account: AccountView, path: string): Value =>
  path.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], account) as Value

/** A field as it is shown: what was typed, else what the account has. */
export function fieldOf(account: AccountView, path: Path) {
  const draft = drafts.value.get(keyOf(account, path))
  const saved = read(account, path)
  const isDirty = draft !== undefined && !draft.isSaved
  return {
    value: draft?.value ?? saved,
    isDirty,
    /** What the account got from elsewhere since the typing began. */
    theirs: isDirty && !same(draft.base, saved) ? saved : undefined,
  }
}

/** Why a field, or with `#` a form, could not be saved. */
export const errorOf = (account: AccountView, path: string): string | undefined =>
  errors.value.get(keyOf(account, path))

export const hasDrafts = (id: string): boolean =>
  [...drafts.value].some(([key, { isSaved }]) => key.startsWith(`${id}/`) && !isSaved)

export function edit(account: AccountView, path: Path, value: Value): void {
  const key = keyOf(account, path)
  const saved = read(account, path)
  const before = drafts.peek().get(key)
  const next = new Map(drafts.peek())
  if (same(value, saved)) next.delete(key)
  else next.set(key, { value, base: before?.isSaved ? before.value : (before?.base ?? saved) })
  drafts.value = next
  clearErrors(account, [path])
}

export function discard(account: AccountView, paths: readonly Path[]): void {
  const gone = new Set(paths.map((path) => keyOf(account, path)))
  drafts.value = new Map([...drafts.peek()].filter(([key]) => !gone.has(key)))
  clearErrors(account, paths)
}

/** Sends what was changed, field by field, so that what others change elsewhere stays. */
export async function save(account: AccountView, paths: readonly Path[], what: string): Promise<void> {
  const sent = paths.flatMap((path) => {
    const draft = drafts.peek().get(keyOf(account, path))
    return draft && !draft.isSaved ? [{ path, draft }] : []
  })
  clearErrors(account, paths)
  const refusal = await catchRequestError(() =>
    api.accounts[':id'].$patch({ param: { id: account.id }, json: bodyOf(sent) }),
  )
  if (refusal) {
    complain(account, paths, refusal)
    return
  }
  const next = new Map(drafts.peek())
  for (const { path, draft } of sent) {
    const key = keyOf(account, path)
    // Typed on while it was saved, it is a draft again.
    if (next.get(key) === draft) next.set(key, { value: draft.value, base: draft.value, isSaved: true })
    else if (next.has(key)) next.set(key, { ...next.get(key)!, base: draft.value })
  }
  drafts.value = next
  showToast({ tone: 'ok', text: `${what} saved` })
}

function bodyOf(sent: readonly { readonly path: Path; readonly draft: Draft }[]): object {
  const body: Record<string, Value | object> = {}
  for (const { path, draft } of sent) {
    const [key, part] = path.split('.') as [string, string?]
    body[key] = part === undefined ? draft.value : { ...(body[key] as object), [part]: draft.value }
  }
  return body
}

function complain(
  account: AccountView,
  paths: readonly Path[],
  { message, errors: wrong }: RequestError,
): void {
  const next = new Map(errors.peek())
  for (const { path, message: text } of wrong) next.set(keyOf(account, path), `It ${text}.`)
  if (wrong.length === 0) next.set(keyOf(account, `#${paths[0]}`), message)
  errors.value = next
}

/** Forgets what was wrong with some fields, with entries of their lists and with their form. */
function clearErrors(account: AccountView, paths: readonly Path[]): void {
  const keys = paths.flatMap((path) => [keyOf(account, path), keyOf(account, `#${path}`)])
  errors.value = new Map(
    [...errors.peek()].filter(([key]) => !keys.some((gone) => key === gone || key.startsWith(`${gone}.`))),
  )
}

effect(() => {
  const byId = new Map(accountList.value.map((account) => [account.id, account]))
  drafts.value = new Map(
    [...drafts.peek()].filter(([key, { value, isSaved }]) => {
      const [id = '', path = ''] = key.split('/')
      const account = byId.get(id)
      // An account that is gone may come back, as when a reset is undone.
      return account ? !isSaved && !same(value, read(account, path)) : true
    }),
  )
})
