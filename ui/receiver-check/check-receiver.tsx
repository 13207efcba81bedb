import { plural } from '../../server/format/values.ts'
import { log } from '../session.ts'
import { TextField } from '../shell/field.tsx'
import { check, draft, runCheck, stopCheck, type CheckDraft } from './check-state.ts'
import { CheckReport } from './check-report.tsx'

const change = (changes: Partial<CheckDraft>) => (draft.value = { ...draft.value, ...changes })

/** What was sent last. Each webhook is in the timeline too. */
function Progress({ since }: { readonly since: number }) {
  const { entries } = log.journal.value
  const sent: string[] = []
  for (let index = entries.length - 1; index >= 0 && entries[index]!.event.seq > since; index -= 1) {
    const { event } = entries[index]!
    if (event.type === 'check.sent' && event.check !== null) sent.push(event.check)
  }
  return (
    <p>
      Checking, one case after another…
      {sent.length > 0 && ` ${plural(sent.length, 'webhook')} sent, the newest for ${sent[0]}.`}
    </p>
  )
}

/** Tries a webhook receiver with everything it has to stand. */
export function CheckReceiver() {
  const { url, orderUrl, stateUrl, statePointer, paid, countPointer } = draft.value
  const now = check.value
  const isRunning = now.state === 'running'

  return (
    <section aria-labelledby="check">
      <h2 id="check">Check a receiver</h2>
      <p>
        Tries your webhook endpoint with everything it has to stand: forms and JSON, odd amounts and notes,
        repetitions, forgeries, slow bodies. Nothing is sent beyond this machine and private networks.
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
          <summary>Look at the orders too</summary>
          <div class="form">
            <p class="muted">
              With these it is also seen whether an order was paid exactly once. Your app has to use this
              sandbox as its service.
            </p>
            <TextField
              label="Makes an order"
              hint="POSTed before each case, such as http://localhost:3000/orders"
              inputMode="url"
              value={orderUrl}
              onValue={(text) => change({ orderUrl: text })}
            />
            <TextField
              label="Tells of an order"
              hint="Such as http://localhost:3000/orders/{note}. It may have {payId}, {id}, {linkId} and {amount} too."
              inputMode="url"
              value={stateUrl}
              onValue={(text) => change({ stateUrl: text })}
            />
            <TextField
              label="Where the state is"
              hint="A JSON pointer"
              value={statePointer}
              onValue={(text) => change({ statePointer: text })}
            />
            <TextField label="What means paid" value={paid} onValue={(text) => change({ paid: text })} />
            <TextField
              label="Where the number of fulfilments is"
              hint="A JSON pointer, or empty where it is not told"
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
        {now.state === 'running' && <Progress since={now.since} />}
        {now.state === 'done' && <CheckReport report={now.report} />}
      </div>
      {now.state === 'refused' && (
        <p class="wrong" role="alert">
          {now.refusal.message}
        </p>
      )}
    </section>
  )
}
