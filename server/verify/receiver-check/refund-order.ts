import { reasonOf } from '../../domain/text/reason-of.ts'
import type { CheckedOrder } from '../../contract/checks/check.ts'
import type { CheckRunOptions } from './check-run-options.ts'
import type { Judgement } from './failure.ts'
import { stateUrlOf } from './read-order-state.ts'
import { requestApp } from './request-app.ts'
import type { SandboxPort } from './sandbox-port.ts'

/** Lets the app request the refund of a paid order, and approves it. Returns what is wrong, or `undefined`. */
export async function refundOrder(
  {
    options,
    sandbox,
  }: { readonly options: CheckRunOptions; readonly sandbox: Pick<SandboxPort, 'approveRefund'> },
  order: CheckedOrder,
): Promise<Judgement | undefined> {
  const url = stateUrlOf(options.refundUrl ?? '', order)
  try {
    const { status } = await requestApp(url, '', options)
    if (status >= 400) return noRefund(`no refund could be requested: ${url} answered ${status}`)
  } catch (error) {
    return noRefund(`no refund could be requested: ${reasonOf(error)}`)
  }
  const isApproved = await sandbox.approveRefund(order)
  return isApproved ? undefined : noRefund(`${url} requested no refund of the payment`)
}

const noRefund = (seen: string): Judgement => ({ problem: 'no-refund', seen })
