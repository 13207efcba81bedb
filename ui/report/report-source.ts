import type { DataSource } from '../data-source.ts'
import type { AccountView } from '../../server/contract/views.ts'
import { EMPTY_BILLING } from '../../server/domain/accounts/account.ts'
import { report } from './report.ts'

const loaded = () => (report.value.state === 'loaded' ? report.value.value : undefined)

/** What a report does not say of an account that is only involved. */
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

/** Looks into the file. Its time stands still at when it was made. */
export const reportSource: DataSource = {
  clock: async () => ({ now: loaded()?.head.madeAt ?? '', mode: 'frozen', offsetMs: 0 }),

  async accounts() {
    const { accounts = [], involved = [] } = loaded()?.head ?? {}
    return [...accounts, ...involved.map((known) => ({ ...UNKNOWN_DETAILS, ...known }))]
  },

  async event(seq) {
    const found = loaded()?.events.get(seq)
    return found && { event: found, exchange: found.exchange }
  },
}
