import { setTimeout as pause } from 'node:timers/promises'
import type { Diagnostic } from '../domain/diagnostics/diagnostic.ts'
import type { StartOptions } from '../config/start-options.ts'
import { createErrorReport, runSandbox, type RunningSandbox } from '../sandbox.ts'
import type { SandboxOptions } from '../config/sandbox-options.ts'
import { diagnosticLine } from '../format/terminal-lines.ts'
import { inspect } from 'node:util'
import { runsInContainer } from '../system/in-container.ts'
import { fileIn, note, type CliIo } from './io.ts'

/** Starts a sandbox in this process, as the flags say. */
export const openSandbox = (
  options: StartOptions,
  io: CliIo,
  onDiagnostic: SandboxOptions['onDiagnostic'] = options.quiet
    ? () => {}
    : (found) => noteDiagnostic(io, found),
): Promise<RunningSandbox> =>
  runSandbox({
    port: options.port,
    host: options.host,
    db: options.db === ':memory:' ? options.db : fileIn(io, options.db),
    seed: typeof options.seed === 'string' ? fileIn(io, options.seed) : options.seed,
    publicUrl: options.publicUrl,
    keep: options.keep,
    allowedHosts: options.allowHost,
    maps: Object.fromEntries(options.maps.map(({ from, to }) => [from, to])),
    behaviors: options.behaviors,
    clock: options.clock,
    adminToken: options.adminToken,
    tunnelTokens: options.tunnelTokens,
    tls: options.tls,
    tlsCert: options.tlsCert && fileIn(io, options.tlsCert),
    tlsKey: options.tlsKey && fileIn(io, options.tlsKey),
    onDiagnostic,
    ...processOptions(io),
  })

/** Starts a sandbox in memory, on a free port. */
export const openMemorySandbox = (io: CliIo): Promise<RunningSandbox> => runSandbox(processOptions(io))

const processOptions = (io: CliIo): SandboxOptions => ({
  isInContainer: runsInContainer(io.env),
  onError: createErrorReport((error) => note(io, typeof error === 'string' ? error : inspect(error))),
})

/** Prints a diagnostic for people. */
export const noteDiagnostic = (io: CliIo, found: Diagnostic): void => note(io, diagnosticLine(found))

const GRACE_MS = 2_000

/** The last webhooks belong to a run, but a receiver that never answers does not hold it up. */
export const settledSoon = (sandbox: RunningSandbox): Promise<void> =>
  Promise.race([sandbox.settled(), pause(GRACE_MS, undefined, { ref: false })])
