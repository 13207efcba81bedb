import { signal } from '@preact/signals'
import { api, catchRequestError, type RequestError } from '../api.ts'
import { log } from '../session.ts'

/** What stands in the form, as it was typed. What is empty is left out. */
export interface CheckDraft {
  readonly url: string
  readonly orderUrl: string
  readonly stateUrl: string
  readonly statePointer: string
  readonly paid: string
  readonly countPointer: string
}

export const draft = signal<CheckDraft>({
  url: '',
  orderUrl: '',
  stateUrl: '',
  statePointer: '/status',
  paid: 'paid',
  countPointer: '',
})

type Report = Awaited<ReturnType<typeof ask>>

export type CheckResult = Report['results'][number]

export type Check =
  | { readonly state: 'none' }
  /** With the newest `seq` there was when it began. */
  | { readonly state: 'running'; readonly since: number }
  | { readonly state: 'refused'; readonly refusal: RequestError }
  | { readonly state: 'done'; readonly report: Report }

/** The newest check. It goes on while another screen is looked at. */
export const check = signal<Check>({ state: 'none' })

let stop = new AbortController()

export async function runCheck(): Promise<void> {
  stop = new AbortController()
  check.value = { state: 'running', since: log.journal.peek().last }
  const refusal = await catchRequestError(async () => {
    check.value = { state: 'done', report: await ask(draft.peek(), stop.signal) }
  })
  if (refusal) check.value = stop.signal.aborted ? { state: 'none' } : { state: 'refused', refusal }
}

export const stopCheck = (): void => stop.abort()

async function ask(
  { url, stateUrl, statePointer, paid, countPointer, orderUrl }: CheckDraft,
  until: AbortSignal,
) {
  const state = { stateUrl, statePointer, paid, ...(countPointer === '' ? {} : { countPointer }) }
  const json = {
    url,
    ...(orderUrl === '' ? {} : { orderUrl }),
    ...(stateUrl === '' ? {} : state),
  }
  const answer = await api.checks.receiver.$post({ json }, { init: { signal: until } })
  return answer.json()
}
