import { builtInSeed } from '../../runtime/config/built-in-seed.evaluated.ts'
import { rejectUnsafeOrigin } from '../../runtime/config/reject-unsafe-origin.ts'
import { looksLikeProductionKey, namesProduction } from '../../domain/network/production.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { whyInvalidHeaderValue } from '../../domain/http/header-value.ts'
import { variableIn } from '../../platform/system/environment.ts'
import type { CliIo } from '../io.ts'
import { splitCredentials } from '../../domain/network/credentials.ts'

/** Reads `--target`, which is an origin without a path and may contain credentials. */
export function readTarget(target: string | undefined): ReturnType<typeof splitCredentials> {
  if (target === undefined) {
    throw new UsageError(
      'calibrate requires the address of the development environment. Pass --target, like --target https://dev.pay.example.',
    )
  }
  if (/^https?:\/\/[^/?#]+\/?$/.test(target) && URL.canParse(target)) return splitCredentials(target)
  throw new UsageError(
    `--target is ${target}. It must be an origin without a path, like https://dev.pay.example: calibrate appends /api/v2.`,
  )
}

/**
 * Reads the key from the variable that `--key-env` names. If the key were in the command line, the shell would store it in its
 * history.
 */
export function readTargetKey(name: string | undefined, { env }: CliIo): string {
  if (name === undefined) {
    throw new UsageError(
      'calibrate requires a key of the development environment. Pass the name of an environment variable that has it, like --key-env DEV_KEY.',
    )
  }
  const key = variableIn(env, name)
  const problem = key === undefined ? undefined : whyInvalidHeaderValue(key)
  if (problem !== undefined) throw new UsageError(`The key in the variable of --key-env ${problem}.`)
  if (key !== undefined) return key
  // The message does not quote the value, because it could be the key itself.
  throw new UsageError(
    'The environment variable that --key-env names is not set. Set it to your key, and pass its name, not the key.',
  )
}

/** Rejects an unencrypted connection to another machine, because others could read the key. */
export function rejectUnsafeTarget(origin: string, { env }: CliIo): void {
  rejectUnsafeOrigin('--target', origin)
  if (origin.startsWith('https:') && env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    throw new UsageError(
      'NODE_TLS_REJECT_UNAUTHORIZED is 0, so no certificate would be verified, and any server could get your key. Unset it. To trust the certificate of your own authority, set NODE_EXTRA_CA_CERTS.',
    )
  }
}

/** Rejects an origin or a key that looks like production. */
export function rejectProduction(origin: string, keyName: string, key: string): void {
  const isKnown = builtInSeed.accounts.some(
    ({ environment, apiKey }) => environment === 'production' && apiKey === key,
  )
  const what =
    isKnown || looksLikeProductionKey(key)
      ? `The key in ${keyName} is a production key`
      : namesProduction(keyName.replaceAll('_', ' '))
        ? `The name of the variable ${keyName} says that it contains a production key`
        : namesProduction(new URL(origin).hostname)
          ? `${origin} looks like production`
          : undefined
  if (what === undefined) return
  throw new UsageError(
    `${what}. calibrate creates links, so it runs only against the development environment, with a development key.`,
  )
}
