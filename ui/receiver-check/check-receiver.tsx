import { GuideLink } from '../shell/guide-link.tsx'
import { plural } from '../../server/format/values.ts'
import { log } from '../session.ts'
import { ErrorMessage } from '../shell/error-message.tsx'
import { TextField } from '../shell/field.tsx'
import { check, form, runCheck, stopCheck, type CheckForm } from './check-state.ts'
import { CheckReport } from './check-report.tsx'

const change = (changes: Partial<CheckForm>) => (form.value = { ...form.value, ...changes })

/** The number of webhooks sent since an event, and the latest case. */
function Progress({ since }: { readonly since: number }) {
  const { entries } = log.journal.value
  const sent: string[] = []
  for (let index = entries.length - 1; index >= 0 && entries[index]!.event.seq > since; index -= 1) {
    const { event } = entries[index]!
    if (event.type === 'check.sent' && event.check !== null) sent.push(event.check)
  }
  return (
    <p>
      Checking…
      {sent.length > 0 && ` ${plural(sent.length, 'webhook')} sent, the latest for case ${sent[0]}.`}
    </p>
  )
}

/** The form that checks a webhook receiver, and its report. */
export function CheckReceiver() {
  const { url, orderUrl, stateUrl, statePointer, paid, countPointer } = form.value
  const state = check.value
  const isRunning = state.state === 'running'

  return (
    <section aria-labelledby="check">
      <h2 id="check">Check a receiver</h2>
      <p>
        Tests your webhook endpoint with forms and JSON, unusual amounts and notes, duplicates, forged
        webhooks and slow requests. Requests go only to this machine and to private networks.
        <GuideLink page="checking-your-receiver" about="checking your receiver" />
      </p>
      <form
        class="form check"
        onSubmit={(event) => {
          event.preventDefault()
          void runCheck()
        }}
      >
        <TextField
          label="Receiver"
          hint="Such as http://localhost:3000/webhooks"
          inputMode="url"
          isRequired
          value={url}
          onValue={(text) => change({ url: text })}
        />
        <details>
          <summary>Also check the order’s state</summary>
          <div class="form">
            <p class="muted">
              Checks that each order is paid exactly once. Your app must use this sandbox as its payment
              service.
            </p>
            <TextField
              label="URL that creates an order"
              hint="Receives a POST before each case, such as http://localhost:3000/orders"
              inputMode="url"
              value={orderUrl}
              onValue={(text) => change({ orderUrl: text })}
            />
            <TextField
              label="URL of an order"
              hint="Such as http://localhost:3000/orders/{note}. Also {payId}, {id}, {linkId} and {amount}."
              inputMode="url"
              value={stateUrl}
              onValue={(text) => change({ stateUrl: text })}
            />
            <TextField
              label="State"
              hint="A JSON pointer"
              value={statePointer}
              onValue={(text) => change({ statePointer: text })}
            />
            <TextField
              label="Value of the state when paid"
              value={paid}
              onValue={(text) => change({ paid: text })}
            />
            <TextField
              label="Number of fulfilments"
              hint="A JSON pointer. Leave empty if the response does not contain it."
              value={countPointer}
              onValue={(text) => change({ countPointer: text })}
            />
          </div>
        </details>
        <div class="actions">
          <button type="submit" class="primary" disabled={isRunning}>
            Check
          </button>
          {isRunning && (
            <button type="button" onClick={stopCheck}>
              Stop
            </button>
          )}
        </div>
      </form>
      <div role="status" class="check">
        {state.state === 'running' && <Progress since={state.since} />}
        {state.state === 'done' && <CheckReport report={state.report} />}
      </div>
      {state.state === 'failed' && <ErrorMessage text={state.error.message} />}
    </section>
  )
}
