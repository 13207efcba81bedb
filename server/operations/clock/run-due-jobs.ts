import { nextMonth, berlinMonth, monthStart } from '../../domain/time/calendar.ts'
import { createClock } from '../../domain/time/clock.ts'
import type { TaxInvoice } from '../../domain/accounts/tax-invoice.ts'
import type { Instant } from '../../domain/time/time.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import type { UnitOfWork } from '../../store/store.ts'
import * as monthlyRevenue from '../../store/repositories/monthly-revenue.ts'
import { issueInvoices } from '../invoices/issue-invoices.ts'

/**
 * Does what falls due until a moment: bills each month that has ended by then. Where the clock has not come
 * so far, it goes from one due date to the next, so that each thing happens in its time.
 *
 * Where a webhook is to be tried again, the clock stops: an attempt is no part of a unit of work, and only once
 * it has been made may time go on.
 */
export async function runDueJobs(work: UnitOfWork, until: Instant): Promise<TaxInvoice[]> {
  const retry = (await deliveries.nextDue(work.db)) ?? until
  const ahead = retry < until ? retry : until
  const stop = ahead > work.now ? ahead : work.now

  const issued: TaxInvoice[] = []
  for (;;) {
    const month = await monthlyRevenue.firstUnbilled(work.db)
    if (month === undefined) break
    const due = monthStart(nextMonth(month))
    if (due > stop) break
    await moveClockTo(work, due)
    issued.push(...(await issueInvoices(work, month)))
    await monthlyRevenue.billFrom(work.db, nextMonth(month))
  }
  await moveClockTo(work, stop)
  return issued
}

/** Forward only: what is overdue happens now. */
async function moveClockTo(work: UnitOfWork, to: Instant): Promise<void> {
  if (to > work.now) await work.setClock(createClock(work.clock.mode, to, work.systemNow))
}

/** When something may fall due next. */
export async function nextDue({ db, now }: UnitOfWork): Promise<Instant> {
  const monthEnd = monthStart(nextMonth(berlinMonth(now)))
  const retry = await deliveries.nextDue(db, now)
  return retry !== undefined && retry < monthEnd ? retry : monthEnd
}
