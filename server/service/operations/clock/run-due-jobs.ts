import { nextMonth, berlinMonth, monthStart } from '../../../domain/time/calendar.ts'
import { createClock } from '../../../domain/time/clock.ts'
import type { TaxInvoice } from '../../../domain/accounts/tax-invoice.ts'
import type { Instant } from '../../../domain/time/berlin-time.ts'
import * as deliveries from '../../../store/repositories/deliveries.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import * as monthlyRevenue from '../../../store/repositories/monthly-revenue.ts'
import { issueInvoices } from '../invoices/issue-invoices.ts'

/**
 * Runs everything that falls due until a time, each job at its own time: issues the invoices of each month that has ended. Called
 * whenever time passes. Add new kinds of jobs here. The clock stops where a webhook is due again, because a webhook cannot be
 * attempted in a unit of work. `clock-mover.ts` makes the attempt and continues.
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
    await monthlyRevenue.markBilledBefore(work.db, nextMonth(month))
  }
  await moveClockTo(work, stop)
  return issued
}

/** Moves the clock forward. An overdue job runs at the current time, because the clock never moves back. */
async function moveClockTo(work: UnitOfWork, to: Instant): Promise<void> {
  if (to > work.now) await work.setClock(createClock(work.clock.mode, to, work.systemNow))
}

/** The next time when a job may fall due. */
export async function nextJobDue({ db, now }: UnitOfWork): Promise<Instant> {
  const monthEnd = monthStart(nextMonth(berlinMonth(now)))
  const retry = await deliveries.nextDue(db, now)
  return retry !== undefined && retry < monthEnd ? retry : monthEnd
}
