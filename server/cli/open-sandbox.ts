import { setTimeout as pause } from 'node:timers/promises'
import type { Diagnostic } from '../domain/diagnostics/diagnostic.ts'
import type { StartOptions } from '../config/start-options.ts'
import { runSandbox, type RunningSandbox } from '../sandbox.ts'
import type { SandboxOptions } from '../config/sandbox-options.ts'
import { diagnosticLine } from '../format/terminal-lines.ts'
import { tell } from './print.ts'

/** Starts a sandbox in this process, as the flags say. */
export const openSandbox = (
  options: StartOptions,
  onDiagnostic: SandboxOptions['onDiagnostic'] = options.quiet ? () => {} : tellDiagnostic,
): Promise<RunningSandbox> =>
  runSandbox({
    port: options.port,
    host: options.host,
    db: options.db,
    seed: options.seed,
    publicUrl: options.publicUrl,
    keep: options.keep,
    allowedHosts: options.allowHost,
    maps: Object.fromEntries(options.maps.map(({ from, to }) => [from, to])),
    behaviors: options.behaviors,
    clock: options.clock,
    adminToken: options.adminToken,
    tunnelTokens: options.tunnelTokens,
    tls: options.tls,
    tlsCert: options.tlsCert,
    tlsKey: options.tlsKey,
    onDiagnostic,
  })

/** Tells people of a finding as it is found. */
export const tellDiagnostic = (found: Diagnostic): void => tell(diagnosticLine(found))

const GRACE_MS = 2_000

/** The last webhooks belong to a run, but a receiver that never answers does not hold it up. */
export const settledSoon = (sandbox: RunningSandbox): Promise<void> =>
  Promise.race([sandbox.settled(), pause(GRACE_MS, undefined, { ref: false })])
