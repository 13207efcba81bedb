import { monthAfter, monthStart } from '../domain/calendar.ts'
import { clockAt } from '../domain/clock.ts'
import type { TaxInvoice } from '../domain/invoice.ts'
import type { Instant } from '../domain/time.ts'
import type { Work } from '../store/store.ts'
import * as turnover from '../store/turnover.ts'
import { issueInvoices } from './issue-invoices.ts'

/**
 * Does what falls due until a moment: bills each month that has ended by then. Where the clock has not come
 * so far, it goes from one due date to the next, so that each thing happens in its time.
 */
export async function passTime(work: Work, until: Instant): Promise<TaxInvoice[]> {
  const issued: TaxInvoice[] = []
  for (;;) {
    const month = await turnover.firstUnbilled(work.db)
    if (month === undefined) return issued
    const due = monthStart(monthAfter(month))
    if (due > until) return issued
    if (due > work.now) await work.setClock(clockAt(work.clock.mode, due, work.machine))
    issued.push(...(await issueInvoices(work, month)))
    await turnover.billFrom(work.db, monthAfter(month))
  }
}
