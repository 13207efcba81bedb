import type { CheckedOrder } from '../../contract/checks/check.ts'
import type { CaseContext } from './case-context.ts'
import type { OrderOfCase } from './orders/wanted-orders.ts'
import { createPageTools } from './tools/pages.ts'
import { createRefundCallTools, createRefundRequestTools } from './tools/refunds.ts'
import { createStateTools } from './tools/states.ts'
import { waitForOtherOrder, waitUntil } from './tools/waits.ts'
import { createWebhookTools } from './tools/webhooks.ts'
import { createMeeting, type Participant } from './webhooks/meeting.ts'

/** The actions and checks of cases. */
export function createTools(
  context: CaseContext,
  { name, orRefunded }: { readonly name: string; readonly orRefunded?: true | undefined },
  meeting: Participant = createMeeting(1)[0]!,
) {
  const { orders, sandbox } = context
  return {
    name,
    context,
    sandbox,
    orders,
    ...createWebhookTools(context, name, meeting),
    ...createPageTools(context, name, meeting),
    ...createStateTools(context, orRefunded),
    ...createRefundCallTools(context),
    ...createRefundRequestTools(context),
    waitForOtherOrder: (): Promise<void> => waitForOtherOrder(context),
    waitUntil: (isTrue: () => Promise<boolean>, limitMs?: number): Promise<boolean> =>
      waitUntil(context, isTrue, limitMs),
    make: (wanted: Omit<OrderOfCase, 'name'> = {}): Promise<CheckedOrder> => orders.make({ name, ...wanted }),
    /** The `seq` of the newest event. Later, the calls after it can be listed. */
    now: (): Promise<number> => sandbox.newestSeq(),
  }
}

export type CaseTools = ReturnType<typeof createTools>
