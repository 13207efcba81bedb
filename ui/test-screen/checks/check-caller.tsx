import { GuideLink } from '../../components/guide-link.live.tsx'
import { plural } from '../../../server/contract/format/values.ts'
import { log } from '../../data/session.ts'
import { TextField } from '../../components/field.tsx'
import { CheckForm } from './check-form.tsx'
import { CheckReportView } from './check-report.tsx'
import { callerCheck } from './check-state.ts'

/** The number of calls since an event. */
function Progress({ since }: { readonly since: number }) {
  const { entries } = log.journal.value
  let calls = 0
  for (let index = entries.length - 1; index >= 0 && entries[index]!.event.seq > since; index -= 1) {
    if (entries[index]!.event.type === 'api.request') calls += 1
  }
  return <>{calls > 0 && ` Your app has made ${plural(calls, 'call')}. One response is late on purpose.`}</>
}

/** The form that checks an app that calls the API, and its report. */
export function CheckCaller() {
  const { orderBody, failureText, paidText } = callerCheck.form.value
  return (
    <section aria-labelledby="check-caller">
      <h2 id="check-caller">Check an app that creates links</h2>
      <p>
        Makes your app place orders while the sandbox loses answers, answers late, refuses calls or shows a
        web page, and the customer clicks twice. Your app must use this sandbox.
        <GuideLink page="is-my-integration-correct" about="checking both sides of your app" />
      </p>
      <CheckForm
        check={callerCheck}
        target={{
          label: 'Order URL',
          hint: 'Receives a POST for each click of a customer, such as http://localhost:3000/orders',
        }}
        more="More: request body, page texts, order state"
        placeholders="Such as http://localhost:3000/orders/{order}/state. Also {note}, {payId}, {id}, {linkId} and {amount}."
        progress={(since) => <Progress since={since} />}
        report={(report) => (
          <CheckReportView report={report} url={report.orderUrl} onDownload={callerCheck.downloadTest} />
        )}
      >
        <TextField
          label="Order body"
          hint='JSON or a form. If empty: {"order":"{order}","amount":{amount},"note":"{note}"}'
          value={orderBody}
          onValue={(text) => callerCheck.change({ orderBody: text })}
        />
        <TextField
          label="Failure text"
          hint="A text of the failure page. Required if its HTTP status is 500, or below 400"
          value={failureText}
          onValue={(text) => callerCheck.change({ failureText: text })}
        />
        <TextField
          label="Paid text"
          hint="A text that only the page of a paid order has"
          value={paidText}
          onValue={(text) => callerCheck.change({ paidText: text })}
        />
      </CheckForm>
    </section>
  )
}
