import type { ComponentChildren } from 'preact'
import { ErrorMessage } from '../../components/error-message.tsx'
import { TextField } from '../../components/field.tsx'
import type { Check, ShownReport } from './check-state.ts'

interface Props<Report extends ShownReport> {
  readonly check: Check<Readonly<Record<'url' | StateField, string>>, Report>
  /** The label and the hint of the first field. */
  readonly target: { readonly label: string; readonly hint: string }
  /** The title and the first fields of the folded part. */
  readonly more: string
  readonly children: ComponentChildren
  /** The hint about placeholders in the state URL. */
  readonly placeholders: string
  /** The progress of a check that began after an event. */
  readonly progress: (since: number) => ComponentChildren
  readonly report: (report: Report) => ComponentChildren
}

type StateField = 'stateUrl' | 'statePointer' | 'paidValue' | 'countPointer'

/** The form of a check, its progress and its report. */
export function CheckForm<Report extends ShownReport>(props: Props<Report>) {
  const { check, target, more, children, placeholders, progress, report } = props
  const { url, stateUrl, statePointer, paidValue, countPointer } = check.form.value
  const state = check.state.value
  const isRunning = state.state === 'running'

  return (
    <>
      <form
        class="form check"
        onSubmit={(event) => {
          event.preventDefault()
          void check.run()
        }}
      >
        <TextField
          {...target}
          inputMode="url"
          isRequired
          value={url}
          onValue={(text) => check.change({ url: text })}
        />
        <details>
          <summary>{more}</summary>
          <div class="form">
            {children}
            <TextField
              label="State URL"
              hint={placeholders}
              inputMode="url"
              value={stateUrl}
              onValue={(text) => check.change({ stateUrl: text })}
            />
            <TextField
              label="State pointer"
              hint="A JSON pointer to the state of the order"
              value={statePointer}
              onValue={(text) => check.change({ statePointer: text })}
            />
            <TextField
              label="Paid value"
              hint="The state that means paid"
              value={paidValue}
              onValue={(text) => check.change({ paidValue: text })}
            />
            <TextField
              label="Count pointer"
              hint="A JSON pointer to the number of fulfillments, if the response contains it"
              value={countPointer}
              onValue={(text) => check.change({ countPointer: text })}
            />
          </div>
        </details>
        <div class="actions">
          <button type="submit" class="primary" disabled={isRunning}>
            Check
          </button>
          {isRunning && (
            <button type="button" onClick={check.stop}>
              Stop
            </button>
          )}
        </div>
      </form>
      <div role="status" class="check">
        {state.state === 'running' && <p>Checking…{progress(state.since)}</p>}
        {state.state === 'done' && report(state.report)}
      </div>
      {state.state === 'failed' && <ErrorMessage text={state.error.detail} />}
    </>
  )
}
