import { inspect } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { readOptions } from '../runtime/config/option-values.ts'
import { startSandboxOnlyOptions } from '../runtime/config/options.ts'
import type { SandboxSettings, StartOptions } from '../runtime/config/read-options.ts'
import type { Diagnostic } from '../domain/diagnostics/diagnostic.ts'
import { isDatabaseFile } from '../platform/system/database-name.ts'
import { UsageError } from '../domain/text/usage-error.ts'
import { diagnosticLine } from '../contract/format/terminal-lines.ts'
import type { RunningSandbox } from '../runtime/sandbox.ts'
import { runsInContainer } from '../platform/system/in-container.ts'
import { fileIn, printMessage, type CliIo } from './io.ts'

/** Starts a sandbox in this process with the options of `start`. */
export async function openSandbox(
  options: StartOptions,
  io: CliIo,
  onDiagnostic: SandboxSettings['onDiagnostic'] = options.quiet
    ? undefined
    : (diagnostic) => printDiagnostic(io, diagnostic),
): Promise<RunningSandbox> {
  const { db, seed, calibration, tlsCert, tlsKey, replicas, replicaUrl } = options
  const { startReplicaWithSettings, startWithSettings } = await loadSandbox()
  try {
    const settings = {
      ...readOptions(startSandboxOnlyOptions, {}),
      ...options,
      db: isDatabaseFile(db) ? fileIn(io, db) : db,
      seed: typeof seed === 'string' ? fileIn(io, seed) : seed,
      calibration: calibration && fileIn(io, calibration),
      tlsCert: tlsCert && fileIn(io, tlsCert),
      tlsKey: tlsKey && fileIn(io, tlsKey),
      onDiagnostic,
      ...(await processOptions(io)),
    }
    return await (replicas ? startReplicaWithSettings(settings, replicaUrl) : startWithSettings(settings))
  } catch (error) {
    throw error instanceof UsageError ? error.named(options.nameOption) : error
  }
}

/** Starts a sandbox in memory, on a free port. */
export async function openMemorySandbox(io: CliIo): Promise<RunningSandbox> {
  const { runSandbox } = await loadSandbox()
  return runSandbox(await processOptions(io))
}

/** Loaded on demand, because help does not need it. */
const loadSandbox = () => import('../runtime/sandbox.ts')

async function processOptions(io: CliIo) {
  const { createErrorReport } = await loadSandbox()
  return {
    isInContainer: runsInContainer(io.env),
    onError: createErrorReport((error) =>
      printMessage(io, typeof error === 'string' ? error : inspect(error)),
    ),
  }
}

/** Prints a diagnostic for people. */
export const printDiagnostic = (io: CliIo, diagnostic: Diagnostic): void =>
  printMessage(io, diagnosticLine(diagnostic))

/** How long webhooks that are underway have to finish when a command ends. */
export const WEBHOOK_GRACE_MS = 2_000

/** Waits for the last webhooks of a run, but not for long, because a receiver may never respond. */
export const waitBrieflyUntilSettled = (sandbox: RunningSandbox): Promise<void> =>
  Promise.race([sandbox.settled(), pause(WEBHOOK_GRACE_MS, undefined, { ref: false })])
