import { flagsOf } from '../runtime/config/option-values.ts'
import { startOptions } from '../runtime/config/options.ts'

/** The options of `start`. Each also has an environment variable and a key in the configuration file. */
export const startFlags = flagsOf(startOptions)

const { open: _open, replicas: _replicas, 'replica-url': _replicaUrl, ...temporaryFlags } = startFlags

/** The flags of a command that starts its own sandbox. */
export const ownSandboxFlags = {
  ...temporaryFlags,
  port: { ...startFlags.port!, text: 'port to listen on (a free one)' },
  db: { ...startFlags.db!, text: 'database file (:memory:)' },
}
