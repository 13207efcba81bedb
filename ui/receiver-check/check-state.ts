import { signal } from '@preact/signals'
import { api, catchRequestError, type RequestError } from '../api.ts'
import { log } from '../session.ts'

/** The input of the form. Empty fields are not sent. */
export interface CheckForm {
  readonly url: string
  readonly orderUrl: string
  readonly stateUrl: string
  readonly statePointer: string
  readonly paid: string
  readonly countPointer: string
}

export const form = signal<CheckForm>({
  url: '',
  orderUrl: '',
  stateUrl: '',
  statePointer: '/status',
  paid: 'paid',
  countPointer: '',
})

type Report = Awaited<ReturnType<typeof requestCheck>>

export type CheckResult = Report['results'][number]

export type CheckState =
  | { readonly state: 'none' }
  /** `since` is the newest `seq` before the check. */
  | { readonly state: 'running'; readonly since: number }
  | { readonly state: 'failed'; readonly error: RequestError }
  | { readonly state: 'done'; readonly report: Report }

/** The latest check. It keeps running while another screen is open. */
export const check = signal<CheckState>({ state: 'none' })

let abort = new AbortController()

export async function runCheck(): Promise<void> {
  abort = new AbortController()
  check.value = { state: 'running', since: log.journal.peek().last }
  const error = await catchRequestError(async () => {
    check.value = { state: 'done', report: await requestCheck(form.peek(), abort.signal) }
  })
  if (error) check.value = abort.signal.aborted ? { state: 'none' } : { state: 'failed', error }
}

export const stopCheck = (): void => abort.abort()

async function requestCheck(
  { url, stateUrl, statePointer, paid, countPointer, orderUrl }: CheckForm,
  abortSignal: AbortSignal,
) {
  const state = { stateUrl, statePointer, paid, ...(countPointer === '' ? {} : { countPointer }) }
  const json = {
    url,
    ...(orderUrl === '' ? {} : { orderUrl }),
    ...(stateUrl === '' ? {} : state),
  }
  const response = await api.checks.receiver.$post({ json }, { init: { signal: abortSignal } })
  return response.json()
}
