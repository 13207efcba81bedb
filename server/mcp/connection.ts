import type { Sandbox } from '../client/connect-sandbox.ts'

/** The sandbox that the tools use. */
export interface SandboxConnection {
  /** The sandbox's handle. Connects at the first call, and again if the previous attempt failed. */
  readonly sandbox: () => Promise<Sandbox>
  /** Reads a page of the sandbox, such as its OpenAPI document. */
  readonly readText: (path: string) => Promise<string>
}
