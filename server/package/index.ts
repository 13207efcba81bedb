import {
  connectSandbox as connect,
  handleOf,
  type ConnectOptions,
  type Sandbox,
} from '../client/connect-sandbox.ts'
import type { SandboxOptions } from '../runtime/config/options.ts'
import { isDatabaseUrl } from '../platform/system/database-name.ts'
import { leaveBrowserEnvironment } from '../platform/system/node-fetch.ts'
import { keepNodeRunning } from '../platform/system/node-globals.ts'
import { isPlainObject } from '../domain/text/is-object.ts'
import { tidy } from '../domain/text/tidy.ts'
import { UsageError } from '../domain/text/usage-error.ts'

/** Connects to a running sandbox. `url` has no path. Throws `SandboxError` if no sandbox answers within 10 seconds. */
export function connectSandbox(url: string, options: ConnectOptions = {}): Promise<Sandbox> {
  keepNodeRunning()
  return connect(url, options)
}

/**
 * Starts a sandbox in this process, by default in memory and on a free port. Resolves when it serves. End it with
 * `await using` or `close`.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  // Only the type of `options` and of `db` is checked here. All options are validated later.
  const { db } = isPlainObject(options) ? options : {}
  if (typeof db === 'string' && isDatabaseUrl(tidy(db))) {
    throw new UsageError(
      'startSandbox cannot use PostgreSQL. Start the sandbox with `npx paylink-sandbox start --db postgres://…`, and connect to it with connectSandbox.',
    )
  }
  keepNodeRunning()
  await leaveBrowserEnvironment()
  // Loaded on demand, so that `connectSandbox` need not load the server.
  const { runSandbox } = await import('../runtime/sandbox.ts')
  const running = await runSandbox(options)
  try {
    const handle = await handleOf(running, {
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

export { defineConfig } from '../runtime/config/define-config.ts'
export { SandboxError } from '../contract/sandbox-error.ts'
export { WaitError } from '../client/explain-wait.ts'
export type { SandboxAccount, AccountChanges, AccountOptions } from '../client/account.ts'
export type { Envelope } from '../domain/api/envelope.ts'
export type { BehaviorChanges } from '../client/behaviors.ts'
export type { LinkFields } from '../client/create-link.ts'
export type {
  CallerCheckOptions,
  CallerCheckReport,
  CallerCheckResult,
} from '../contract/checks/caller-check.ts'
export type { CheckOptions } from '../contract/checks/check.ts'
export type { CheckReport, CheckResult } from '../contract/checks/check.ts'
export type { CheckedOrder, OrderState } from '../contract/checks/check.ts'
export type { ClockChange, SandboxClock, Span, ClockTime } from '../client/clock.ts'
export type { AllowedHosts, KeptMap, Maps } from '../client/egress-rules.ts'
export type { ConnectOptions, Sandbox } from '../client/connect-sandbox.ts'
export type { FaultOptions, Faults } from '../client/faults.ts'
export type { LinkRef } from '../client/link-ref.ts'
export type {
  BrowserOptions,
  DeliveryFilter,
  EventFilter,
  ForgeOptions,
  InvoiceFilter,
  LinkFilter,
  Outcome,
  PayOptions,
  RefundFilter,
  ReplayOptions,
} from '../client/payments.ts'
export type { DiagnosticFilter, FoundDiagnostic, HarFilter, Records } from '../client/records.ts'
export type { Received, Receiver, ReceiverOptions, Reply, ReplyOrFunction } from '../client/receiver.ts'
export type {
  CountOptions,
  EventMatch,
  Redirect,
  RedirectMatch,
  Settled,
  WaitOptions,
  Webhook,
  WebhookMatch,
} from '../client/waits.ts'
export type { ListenOptions, TunnelAnswerOptions, TunnelListener, Tunnels } from '../client/tunnels.ts'
export type { SandboxConfigExport } from '../runtime/config/define-config.ts'
export type { InfoView as SandboxInfo, LinkView as PaymentLink } from '../contract/views.ts'
export type { CreatedLink, OperationAnswers, OperationBodies } from '../domain/api/operation-types.ts'
export type { RunReport } from '../domain/events/run-report.ts'
export type { SeedInput } from '../domain/state/seed-input.ts'
export type { SandboxConfig, SandboxOptions } from '../runtime/config/options.ts'
