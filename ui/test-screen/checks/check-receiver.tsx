import { GuideLink } from '../../components/guide-link.live.tsx'
import { plural } from '../../../server/contract/format/values.ts'
import { log } from '../../data/session.ts'
import { TextField } from '../../components/field.tsx'
import { CheckForm } from './check-form.tsx'
import { CheckReportView } from './check-report.tsx'
import { receiverCheck } from './check-state.ts'

/** The number of webhooks since an event, and the newest case. */
function progressSince(since: number): string {
  const { entries } = log.journal.value
  const sent: string[] = []
  for (let index = entries.length - 1; index >= 0 && entries[index]!.event.seq > since; index -= 1) {
    const { event } = entries[index]!
    if (event.type === 'check.sent' && event.check !== null) sent.push(event.check)
  }
  return sent.length === 0 ? '' : ` ${plural(sent.length, 'webhook')} sent, the latest for case ${sent[0]}.`
}

/** The form that checks a webhook receiver, and its report. */
export const CheckReceiver = () => (
  <section aria-labelledby="check">
    <h2 id="check">Check a receiver</h2>
    <p>
      Tests your webhook endpoint with forms and JSON, unusual amounts and notes, duplicates, forged webhooks
      and slow requests. Requests go only to this machine and to private networks.
      <GuideLink page="checking-your-receiver" about="checking your receiver" />
    </p>
    <CheckForm
      check={receiverCheck}
      target={{ label: 'Receiver', hint: 'Such as http://localhost:3000/webhooks' }}
      more="Also check the order’s state"
      placeholders="Such as http://localhost:3000/orders/{note}. Also {payId}, {id}, {linkId} and {amount}."
      progress={(since) => <Progress since={since} />}
      report={(report) => (
        <CheckReportView
          report={report}
          url={report.receiver}
          advice={report.advice}
          onDownload={receiverCheck.downloadTest}
        />
      )}
    >
      <p class="muted">
        Checks that each order is paid exactly once. Your app must use this sandbox as its payment service.
      </p>
      <TextField
        label="Order URL"
        hint="Receives a POST before each case, such as http://localhost:3000/orders"
        inputMode="url"
        value={receiverCheck.form.value.orderUrl}
        onValue={(orderUrl) => receiverCheck.change({ orderUrl })}
      />
    </CheckForm>
  </section>
)

const Progress = ({ since }: { readonly since: number }) => <>{progressSince(since)}</>
