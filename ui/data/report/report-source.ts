import { effect, signal, type ReadonlySignal } from '@preact/signals'
import type { ConnectionState, DataSource } from '../data-source.ts'
import type { AccountView } from '../../../server/contract/views.ts'
import { EMPTY_BILLING } from '../../../server/domain/accounts/account.ts'
import { bodyContains } from '../../../server/domain/http/body-text.ts'
import type { Log } from '../log.ts'
import { report } from './report.ts'

const loaded = () => (report.value.state === 'loaded' ? report.value.value : undefined)

/** Stands for the details of accounts that only get shares of reported links. A report contains only their ids and names. */
const UNKNOWN_DETAILS: Omit<AccountView, 'id' | 'name'> = {
  environment: 'development',
  apiKey: '',
  recipientToken: '',
  paymentEndpoint: '',
  callbackUrls: [],
  webhookUrls: [],
  billing: EMPTY_BILLING,
  bankTransfer: false,
  serviceFee: '',
}

/** Reads the file. Its clock is frozen at the time of the report. */
export const reportSource: DataSource = {
  follow: (log) => ({ connection: openReport(log), flush: () => {} }),

  clock: async () => ({ now: loaded()?.header.madeAt ?? '', mode: 'frozen', offsetMs: 0 }),

  async accounts() {
    const { accounts = [], involved = [] } = loaded()?.header ?? {}
    return [...accounts, ...involved.map((known) => ({ ...UNKNOWN_DETAILS, ...known }))]
  },

  async event(seq) {
    const found = loaded()?.events.get(seq)
    return found && { event: found, exchange: found.exchange }
  },

  bodyMatcher() {
    const events = loaded()?.events
    return (seq, text) => {
      const exchange = events?.get(seq)?.exchange
      const bodies = exchange ? [exchange.request.body, exchange.response?.body] : []
      return bodies.some((body) => body?.encoding === 'utf8' && bodyContains(body.content, text))
    }
  },
}

/** Fills the log with the events in the file. */
function openReport(log: Log): ReadonlySignal<ConnectionState> {
  const connection = signal<ConnectionState>('connecting')
  effect(() => {
    if (report.value.state === 'loading') return
    if (report.value.state === 'loaded') {
      const { header, events } = report.value.value
      log.start(header)
      log.append([...events.values()])
      document.title = `Report of ${header.madeAt.slice(0, 10)}`
    }
    connection.value = 'report'
  })
  return connection
}
