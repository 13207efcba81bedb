import { effect, signal } from '@preact/signals'
import type { AccountView } from '../../../server/contract/views.ts'
import { accountList } from '../../data/accounts.ts'
import type { SandboxError } from '../../../server/contract/sandbox-error.ts'
import { request, catchSandboxError, fieldErrorText } from '../../data/api.ts'
import { connection } from '../../data/session.ts'
import { showToast } from '../../browser/toasts.ts'

export type Value = string | boolean | readonly string[]

/** A field of an account, named as in the errors of the control API. */
export type Path =
  | 'name'
  | 'paymentEndpoint'
  | 'serviceFee'
  | 'bankTransfer'
  | 'callbackUrls'
  | 'webhookUrls'
  | `billing.${keyof AccountView['billing']}`

/** An unsaved value. It is kept when the account is loaded again, and when another screen is open. */
interface Draft {
  readonly value: Value
  /** The account's value when the editing began. */
  readonly base: Value
  /** True if the value is saved, but the changed account is not loaded yet. */
  readonly isSaved?: true
}

const drafts = signal<ReadonlyMap<string, Draft>>(new Map())
const errors = signal<ReadonlyMap<string, string>>(new Map())

// Removes the error of a form when the sandbox can be reached again, because the error may have said that it cannot.
effect(() => {
  if (connection.value !== 'live') return
  errors.value = new Map([...errors.peek()].filter(([key]) => !key.endsWith('/#')))
})

const keyOf = ({ id }: AccountView, path: string): string => `${id}/${path}`

const isEqual = (one: Value, other: Value): boolean => JSON.stringify(one) === JSON.stringify(other)

const savedValue = (account: AccountView, path: string): Value =>
  path.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], account) as Value

/** A field with its draft, or with the account's value. */
export function fieldOf(account: AccountView, path: Path) {
  const draft = drafts.value.get(keyOf(account, path))
  const saved = savedValue(account, path)
  const isDirty = draft !== undefined && !draft.isSaved
  return {
    value: draft?.value ?? saved,
    isDirty,
    /** The account's current value, if it has changed elsewhere since the editing began. */
    changedElsewhere: isDirty && !isEqual(draft.base, saved) ? saved : undefined,
  }
}

/** Why saving failed, by field. An error of the whole form has the field `#`. */
export const errorOf = (account: AccountView, path: string): string | undefined =>
  errors.value.get(keyOf(account, path))

/** Whether a field of an account, or an entry of its lists, was refused. */
export const hasErrors = ({ id }: AccountView): boolean =>
  [...errors.value.keys()].some((key) => key.startsWith(`${id}/`))

/** The edited fields of an account. */
const draftsOf = (id: string): readonly (readonly [path: Path, draft: Draft])[] =>
  [...drafts.value].flatMap(([key, draft]) => {
    const [owner, path] = key.split('/') as [string, Path]
    return owner === id && !draft.isSaved ? [[path, draft] as const] : []
  })

export const hasDrafts = (id: string): boolean => draftsOf(id).length > 0

export function edit(account: AccountView, path: Path, value: Value): void {
  const key = keyOf(account, path)
  const saved = savedValue(account, path)
  const before = drafts.peek().get(key)
  const next = new Map(drafts.peek())
  if (isEqual(value, saved)) next.delete(key)
  else next.set(key, { value, base: before?.isSaved ? before.value : (before?.base ?? saved) })
  drafts.value = next
  clearErrors(account, [path])
}

/** Discards the changes of some fields, or of all. */
export function discard(account: AccountView, paths = draftsOf(account.id).map(([path]) => path)): void {
  const discarded = new Set(paths.map((path) => keyOf(account, path)))
  drafts.value = new Map([...drafts.peek()].filter(([key]) => !discarded.has(key)))
  clearErrors(account, paths)
}

/** Sends only the edited fields, so that other fields keep changes from elsewhere. */
export async function save(account: AccountView): Promise<void> {
  const sent = draftsOf(account.id)
  clearErrors(
    account,
    sent.map(([path]) => path),
  )
  const error = await catchSandboxError(() =>
    request('PATCH /accounts/:id', { param: { id: account.id }, json: toBody(sent) }),
  )
  if (error) {
    storeErrors(account, error)
    return
  }
  const next = new Map(drafts.peek())
  for (const [path, draft] of sent) {
    const key = keyOf(account, path)
    // A field that was edited during the save stays a draft.
    if (next.get(key) === draft) next.set(key, { value: draft.value, base: draft.value, isSaved: true })
    else if (next.has(key)) next.set(key, { ...next.get(key)!, base: draft.value })
  }
  drafts.value = next
  showToast({ tone: 'ok', text: `${account.name} saved` })
}

function toBody(sent: ReturnType<typeof draftsOf>): object {
  const body: Record<string, Value | object> = {}
  for (const [path, draft] of sent) {
    const [key, part] = path.split('.') as [string, string?]
    body[key] = part === undefined ? draft.value : { ...(body[key] as object), [part]: draft.value }
  }
  return body
}

function storeErrors(account: AccountView, error: SandboxError): void {
  const next = new Map(errors.peek())
  for (const { path, message } of error.errors) next.set(keyOf(account, path), fieldErrorText(message))
  if (error.errors.length === 0) next.set(keyOf(account, '#'), error.detail)
  errors.value = next
}

/** Removes the errors of these fields, of the entries of their lists, and of the form. */
function clearErrors(account: AccountView, paths: readonly Path[]): void {
  const keys = ['#', ...paths].map((path) => keyOf(account, path))
  errors.value = new Map(
    [...errors.peek()].filter(
      ([key]) => !keys.some((cleared) => key === cleared || key.startsWith(`${cleared}.`)),
    ),
  )
}

// Removes drafts whose values the newly loaded accounts contain.
effect(() => {
  const byId = new Map(accountList.value.map((account) => [account.id, account]))
  drafts.value = new Map(
    [...drafts.peek()].filter(([key, { value, isSaved }]) => {
      const [id = '', path = ''] = key.split('/')
      const account = byId.get(id)
      // Drafts of a deleted account stay, because undoing a reset may restore the account.
      return account ? !isSaved && !isEqual(value, savedValue(account, path)) : true
    }),
  )
})
