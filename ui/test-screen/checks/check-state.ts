import { signal, type ReadonlySignal } from '@preact/signals'
import type { Mistake } from '../../../server/contract/checks/check.ts'
import type { SandboxError } from '../../../server/contract/sandbox-error.ts'
import { request, catchSandboxError, withErrorToast } from '../../data/api.ts'
import type { TestFormat } from '../../../server/contract/test-format.ts'
import { saveFile } from '../../browser/save-file.ts'
import { log } from '../../data/session.ts'

type Texts = Readonly<Record<string, string>>

/** The fields of results in every check. */
export interface ShownResult {
  readonly name: string
  readonly title: string
  readonly why: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly expected: string
  readonly seen: string
  readonly example?: string
  readonly sameAs?: string | null
  readonly repeat?: string | null
}

export interface ShownReport {
  readonly accountId: string | null
  readonly checked: 'answers' | 'orders' | 'fulfilments'
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly mistakes: readonly Mistake<string>[]
  readonly results: readonly ShownResult[]
}

type CheckState<Report> =
  | { readonly state: 'none' }
  /** `since` is the newest `seq` before the check. */
  | { readonly state: 'running'; readonly since: number }
  | { readonly state: 'failed'; readonly error: SandboxError }
  /** `options` are the options of this run. The form may have changed since. */
  | { readonly state: 'done'; readonly report: Report; readonly options: Texts }

/** A check with its form and its last run, which continues while another screen is open. */
export interface Check<Form extends Texts, Report extends ShownReport> {
  readonly form: ReadonlySignal<Form>
  readonly state: ReadonlySignal<CheckState<Report>>
  /** Changes fields of the form. */
  change(fields: Partial<Form>): void
  run(): Promise<void>
  stop(): void
  /** Downloads the test of a failed result. */
  downloadTest(result: ShownResult, format: TestFormat): Promise<unknown>
}

function createCheck<Form extends Texts, Report extends ShownReport>(
  isCaller: boolean,
  initial: Form,
  start: (options: Form, signal: AbortSignal) => Promise<Report>,
): Check<Form, Report> {
  const form = signal(initial)
  const state = signal<CheckState<Report>>({ state: 'none' })
  let abort = new AbortController()

  return {
    form,
    state,
    change: (fields) => void (form.value = { ...form.peek(), ...fields }),
    async run() {
      abort = new AbortController()
      state.value = { state: 'running', since: log.journal.peek().last }
      const error = await catchSandboxError(async () => {
        const options = withoutEmpty(form.peek())
        state.value = { state: 'done', report: await start(options, abort.signal), options }
      })
      if (error) state.value = abort.signal.aborted ? { state: 'none' } : { state: 'failed', error }
    },
    stop: () => abort.abort(),
    downloadTest: (result, format) =>
      withErrorToast(async () => {
        const done = state.peek()
        if (done.state !== 'done') return
        const { url = '', ...options } = done.options
        const { accountId } = done.report
        const files = await request('POST /tests/check', {
          json: { isCaller, url, options, accountId, result: { ...result } },
        })
        const { name, text } = files[format]
        saveFile(name, text, 'text/plain')
      }),
  }
}

/** Leaves out empty fields. Without the state URL, also leaves out the other fields about the state. */
function withoutEmpty<Form extends Texts>(form: Form): Form {
  const hasState = form.stateUrl !== ''
  const filledFields = Object.entries(form).filter(
    ([name, text]) => text !== '' && (hasState || !OF_STATE.has(name)),
  )
  return Object.fromEntries(filledFields) as Form
}

const OF_STATE = new Set(['statePointer', 'paidValue', 'countPointer'])

const state = { stateUrl: '', statePointer: '/status', paidValue: 'paid', countPointer: '' }

export const receiverCheck = createCheck(false, { url: '', orderUrl: '', ...state }, (json, abortSignal) =>
  request('POST /checks/receiver', { json, signal: abortSignal }),
)

export const callerCheck = createCheck(
  true,
  { url: '', orderBody: '', ...state, failureText: '', paidText: '' },
  (json, abortSignal) => request('POST /checks/caller', { json, signal: abortSignal }),
)
