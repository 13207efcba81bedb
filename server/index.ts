import { connectSandbox, type Sandbox } from './client/connect-sandbox.ts'
import type { SandboxOptions } from './config/sandbox-options.ts'

export { connectSandbox }

/**
 * Starts a sandbox in this process, in memory and on a free port unless told otherwise. Resolves once it serves. Use
 * `await using`, or `close`, to end it.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  // Whoever only connects has no use for the server, and would wait for it to load.
  const [{ acceptOptions, tellByOptions }, { runSandbox }] = await Promise.all([
    import('./config/validate-options.ts'),
    import('./sandbox.ts'),
  ])
  const running = await runSandbox(acceptOptions(options)).catch(tellByOptions)
  try {
    const handle = await connectSandbox(running.url, {
      adminToken: options.adminToken,
      certificate: running.certificate?.cert,
    })
    const close = async (): Promise<void> => {
      await Promise.all([handle.close(), running.close()])
    }
    return { ...handle, close, [Symbol.asyncDispose]: close }
  } catch (error) {
    await running.close()
    throw error
  }
}

export { defineConfig } from './config/define-config.ts'
export { SandboxError } from './client/request.ts'
export { WaitError } from './client/explain-wait.ts'
export type { SandboxAccount, AccountChanges, AccountOptions } from './client/account.ts'
export type { Envelope } from './client/api.ts'
export type { BehaviorChanges } from './client/behaviors.ts'
export type { LinkFields } from './client/create-link.ts'
export type { CheckOptions } from './contract/check.ts'
export type { CheckReport, CheckResult } from './contract/check.ts'
export type { CheckedOrder, OrderState } from './contract/check.ts'
export type { ClockChange, SandboxClock, Span, Time } from './client/clock.ts'
export type { AllowedHosts, KeptMap, Maps } from './client/egress-rules.ts'
export type { ConnectOptions, Sandbox } from './client/connect-sandbox.ts'
export type { FaultOptions, Faults } from './client/faults.ts'
export type { LinkRef } from './client/link-ref.ts'
export type {
  BrowserOptions,
  DeliveryFilter,
  EventFilter,
  ForgeOptions,
  LinkFilter,
  Outcome,
  PayOptions,
  ReplayOptions,
} from './client/payments.ts'
export type { DiagnosticFilter, FoundDiagnostic, HarFilter, Records } from './client/records.ts'
export type { Received, Receiver, ReceiverOptions, Reply, ReplyOrFunction } from './client/receiver.ts'
export type {
  CountOptions,
  EventMatch,
  Redirect,
  RedirectMatch,
  Settled,
  WaitOptions,
  Webhook,
  WebhookMatch,
} from './client/waits.ts'
export type { ListenOptions, TunnelAnswerOptions, TunnelListener, Tunnels } from './client/tunnels.ts'
export type { SandboxConfig, SandboxConfigExport } from './config/define-config.ts'
export type { InfoView as SandboxInfo, LinkView as PaymentLink } from './contract/views.ts'
export type { CreatedLink, OperationAnswers, OperationBodies } from './domain/api/operation-types.ts'
export type { RunReport } from './domain/events/run-report.ts'
export type { SeedInput } from './domain/state/seed-input.ts'
export type { SandboxOptions } from './config/sandbox-options.ts'
