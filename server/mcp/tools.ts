import type { Tool } from './tool.ts'
import { addFaultTool } from './tools/add-fault.ts'
import { changeAccountTool } from './tools/change-account.ts'
import { checkTool } from './tools/check.ts'
import { createAccountTool } from './tools/create-account.ts'
import { createLinkTool } from './tools/create-link.ts'
import { customerActionTool } from './tools/customer-action.ts'
import { explainWebhookTool } from './tools/explain-webhook.ts'
import { getEventTool } from './tools/get-event.ts'
import { listEventsTool } from './tools/list-events.ts'
import { operatorDecisionTool } from './tools/operator-decision.ts'
import { readGuideTool } from './tools/read-guide.ts'
import { removeFaultsTool } from './tools/remove-faults.ts'
import { replayWebhookTool } from './tools/replay-webhook.ts'
import { requestRefundTool } from './tools/request-refund.ts'
import { sandboxStatusTool } from './tools/sandbox-status.ts'
import { setBehaviorsTool } from './tools/set-behaviors.ts'
import { setClockTool } from './tools/set-clock.ts'
import { setMapsTool } from './tools/set-maps.ts'
import { useSnapshotTool } from './tools/use-snapshot.ts'
import { waitForEventTool } from './tools/wait-for-event.ts'

/** All tools, in the order in which clients list them. */
export const tools: readonly Tool[] = [
  sandboxStatusTool,
  createAccountTool,
  changeAccountTool,
  createLinkTool,
  customerActionTool,
  operatorDecisionTool,
  requestRefundTool,
  explainWebhookTool,
  replayWebhookTool,
  listEventsTool,
  getEventTool,
  waitForEventTool,
  checkTool,
  setBehaviorsTool,
  addFaultTool,
  removeFaultsTool,
  setClockTool,
  setMapsTool,
  useSnapshotTool,
  readGuideTool,
]
