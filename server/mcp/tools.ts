import { createToolOf, type Tool } from './tool.ts'
import { addFault } from './tools/add-fault.ts'
import { changeAccount } from './tools/change-account.ts'
import { checkTool } from './tools/check.ts'
import { createAccount } from './tools/create-account.ts'
import { createLinkTool } from './tools/create-link.ts'
import { customerActions } from './tools/customer-action.ts'
import { explainWebhookTool } from './tools/explain-webhook.ts'
import { getEvent } from './tools/get-event.ts'
import { listEvents } from './tools/list-events.ts'
import { operatorDecisions } from './tools/operator-decision.ts'
import { readGuideTool } from './tools/read-guide.ts'
import { removeFaults } from './tools/remove-faults.ts'
import { replayWebhook } from './tools/replay-webhook.ts'
import { requestRefund } from './tools/request-refund.ts'
import { sandboxStatusTool } from './tools/sandbox-status.ts'
import { setBehaviors } from './tools/set-behaviors.ts'
import { setClock } from './tools/set-clock.ts'
import { setMaps } from './tools/set-maps.ts'
import { useSnapshotTool } from './tools/use-snapshot.ts'
import { waitForEvent } from './tools/wait-for-event.ts'

/** All tools, in the sequence in which clients list them. */
export const tools: readonly Tool[] = [
  sandboxStatusTool,
  createToolOf({
    name: 'account',
    title: 'Create or change an account',
    description: 'Creates an account, or changes the settings of one.',
    actions: { create: createAccount, change: changeAccount },
  }),
  createLinkTool,
  createToolOf({
    name: 'payment',
    title: 'Pay, refund, decide or send again',
    description:
      'Does what customers, the operator of the payment service and the app do with a payment link: pays or cancels it, requests and decides refunds, decides bank transfers. Sends a webhook again.',
    actions: {
      ...customerActions,
      request_refund: requestRefund,
      ...operatorDecisions,
      replay: replayWebhook,
    },
  }),
  explainWebhookTool,
  createToolOf({
    name: 'events',
    title: 'List, show or await events',
    description: 'Lists what happened in the sandbox, shows one event with its bytes, or waits for one.',
    actions: { list: listEvents, get: getEvent, wait: waitForEvent },
  }),
  checkTool,
  createToolOf({
    name: 'settings',
    title: 'Behaviors, faults, clock and maps',
    description:
      'Sets how the sandbox behaves: behaviors where the API reference is silent, failures, the clock, and maps of addresses.',
    actions: {
      set_behaviors: setBehaviors,
      add_fault: addFault,
      remove_faults: removeFaults,
      set_clock: setClock,
      set_maps: setMaps,
    },
  }),
  useSnapshotTool,
  readGuideTool,
]
