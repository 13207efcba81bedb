import type { Tool } from './tool.ts'
import { createLinkTool } from './tools/create-link.ts'
import { customerActionTool } from './tools/customer-action.ts'
import { listEventsTool } from './tools/list-events.ts'
import { sandboxStatusTool } from './tools/sandbox-status.ts'

/** All tools, in the order in which clients list them. */
export const tools: readonly Tool[] = [sandboxStatusTool, createLinkTool, customerActionTool, listEventsTool]
