import { z } from 'zod'
import { commonKeys, explainKey } from './config-keys.ts'
import type { SandboxOptions } from './sandbox-options.ts'
import {
  readAdminToken,
  readClock,
  readDatabase,
  readAllowedHost,
  readKeep,
  readMaps,
  readPort,
  readPublicUrl,
  readTunnelToken,
} from './parse-values.ts'
import { UsageError } from '../domain/text/usage-error.ts'

const callback = z.custom<(...args: never) => never>((value) => typeof value === 'function', {
  error: 'expected a function',
})
const milliseconds = z.number({ error: 'expected a number of milliseconds' }).positive()

const Options = z.strictObject({
  ...commonKeys,
  port: z.number({ error: 'expected a number from 0 to 65535' }).optional(),
  keep: z.number({ error: 'expected a whole number, 0 for all' }).optional(),
  allowedHosts: z.array(z.string()).optional(),
  tunnelTokens: z.record(z.string(), z.string()).optional(),
  deliveryTimeoutMs: milliseconds.optional(),
  aliveEveryMs: milliseconds.optional(),
  heartbeatMs: milliseconds.optional(),
  now: callback.optional(),
  isInContainer: z.boolean({ error: 'expected true or false' }).optional(),
  lookup: callback.optional(),
  onDiagnostic: callback.optional(),
  onError: callback.optional(),
} satisfies Record<keyof SandboxOptions, z.ZodType>)

/** Refuses options that the sandbox would pass over or trip over, in the words of a configuration file. */
export function acceptOptions(options: SandboxOptions): SandboxOptions {
  if (options === null || typeof options !== 'object') {
    throw new UsageError('startSandbox takes an object with options, like { port: 4401 }.')
  }
  const parsed = Options.safeParse(options)
  if (!parsed.success) {
    throw new UsageError(explainKey('startSandbox', Object.keys(Options.shape), parsed.error.issues[0]!))
  }
  const empty = Object.entries(options).find(([, value]) => value === '')
  if (empty) throw new UsageError(`${empty[0]} is empty. Give it a value, or leave it out.`)

  const { db, port, keep, clock, publicUrl, allowedHosts, maps = {}, adminToken, tunnelTokens } = parsed.data
  if (db !== undefined) readDatabase(given('db', db))
  if (port !== undefined) readPort(given('port', String(port)))
  if (keep !== undefined) readKeep(given('keep', String(keep)))
  if (clock !== undefined) readClock(given('clock', clock))
  if (publicUrl !== undefined) readPublicUrl(given('publicUrl', publicUrl))
  for (const host of allowedHosts ?? []) readAllowedHost(host, given('allowedHosts', host))
  if (adminToken !== undefined) readAdminToken(given('adminToken', adminToken))
  for (const entry of Object.entries(tunnelTokens ?? {})) {
    readTunnelToken(entry.join('='), given('tunnelTokens', ''))
  }
  readMaps({ ...given('maps', ''), value: Object.entries(maps).map(([from, to]) => `${from}=${to}`) })
  return options
}

const given = (place: string, value: string) => ({ value, place, how: `Set ${place} to` })

const PROBLEMS = new Set(['UsageError', 'ListenProblem', 'DatabaseProblem'])

/** What is wrong with a start is told by flags. Whoever gave options is told by those. */
export function tellByOptions(error: unknown): never {
  if (!(error instanceof Error) || !PROBLEMS.has(error.name)) throw error
  throw new UsageError(
    error.message
      .replaceAll(
        /\b(P|p)ass (--(?:port|host|db|seed|admin-token|tls-cert|tls-key)) with/g,
        (_, letter: string, flag: string) => `${letter === 'P' ? 'Set' : 'set'} ${flag} to`,
      )
      .replaceAll(/--(port|host|db|seed|admin-token|tls-cert|tls-key|public-url)\b/g, (_, flag: string) =>
        flag.replace(/-[a-z]/, ([, letter = '']) => letter.toUpperCase()),
      ),
  )
}
