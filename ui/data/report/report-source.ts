import type { DataSource } from '../data-source.ts'
import type { AccountView } from '../../../server/contract/views.ts'
import { EMPTY_BILLING } from '../../../server/domain/accounts/account.ts'
import { report } from './report.ts'

const loaded = () => (report.value.state === 'loaded' ? report.value.value : undefined)

/** Stands for the details of accounts that only receive shares of reported links. A report contains just their id and name. */
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
  clock: async () => ({ now: loaded()?.header.madeAt ?? '', mode: 'frozen', offsetMs: 0 }),

  async accounts() {
    const { accounts = [], involved = [] } = loaded()?.header ?? {}
    return [...accounts, ...involved.map((known) => ({ ...UNKNOWN_DETAILS, ...known }))]
  },

  async event(seq) {
    const found = loaded()?.events.get(seq)
    return found && { event: found, exchange: found.exchange }
  },
}
