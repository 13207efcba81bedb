import { createToolOf, type Tool } from './tool.ts'
import { addFaultAction } from './tools/add-fault.ts'
import { changeAccountAction } from './tools/change-account.ts'
import { checkTool } from './tools/check.ts'
import { createAccountAction } from './tools/create-account.ts'
import { createLinkTool } from './tools/create-link.ts'
import { customerActions } from './tools/customer-action.ts'
import { explainWebhookTool } from './tools/explain-webhook.ts'
import { getEventAction } from './tools/get-event.ts'
import { listEventsAction } from './tools/list-events.ts'
import { operatorDecisions } from './tools/operator-decision.ts'
import { readGuideTool } from './tools/read-guide.ts'
import { removeFaultsAction } from './tools/remove-faults.ts'
import { replayWebhookAction } from './tools/replay-webhook.ts'
import { requestRefundAction } from './tools/request-refund.ts'
import { sandboxStatusTool } from './tools/sandbox-status.ts'
import { setBehaviorsAction } from './tools/set-behaviors.ts'
import { setClockAction } from './tools/set-clock.ts'
import { setMapsAction } from './tools/set-maps.ts'
import { useSnapshotTool } from './tools/use-snapshot.ts'
import { waitForEventAction } from './tools/wait-for-event.ts'

/** All tools, in the sequence in which clients list them. */
export const tools: readonly Tool[] = [
  sandboxStatusTool,
  createToolOf({
    name: 'account',
    title: 'Create or change an account',
    description: 'Creates an account, or changes the settings of one.',
    actions: { create: createAccountAction, change: changeAccountAction },
  }),
  createLinkTool,
  createToolOf({
    name: 'payment',
    title: 'Pay, refund, approve or replay',
    description:
      'Does what customers, the operator of the payment service and the app do with a payment link: pays or cancels it, requests refunds, approves or rejects refunds and bank transfers, and replays webhooks.',
    actions: {
      ...customerActions,
      request_refund: requestRefundAction,
      ...operatorDecisions,
      replay: replayWebhookAction,
    },
  }),
  explainWebhookTool,
  createToolOf({
    name: 'events',
    title: 'List, show or await events',
    description: 'Lists what happened in the sandbox, shows one event with its bytes, or waits for one.',
    actions: { list: listEventsAction, get: getEventAction, wait: waitForEventAction },
  }),
  checkTool,
  createToolOf({
    name: 'settings',
    title: 'Behaviors, faults, clock and maps',
    description:
      'Sets how the sandbox behaves: behaviors where the API reference is silent, failures, the clock, and maps of addresses.',
    actions: {
      set_behaviors: setBehaviorsAction,
      add_fault: addFaultAction,
      remove_faults: removeFaultsAction,
      set_clock: setClockAction,
      set_maps: setMapsAction,
    },
  }),
  useSnapshotTool,
  readGuideTool,
]
