import type { Readiness } from '../control/routes/health.ts'
import type { Trouble } from '../platform/system/file-trouble.ts'
import { resultWithin } from '../platform/system/result-within.ts'
import { databaseTroubleOf } from '../store/database-error.ts'
import type { Engine } from '../store/engine.ts'
import type { Store } from '../store/store.ts'

/** Health checks of orchestrators often give up after five seconds. */
const TIMEOUT_MS = 3_000

const SILENT: Trouble = {
  what: `it has not answered for ${TIMEOUT_MS / 1000} s`,
  advice: 'Look at its load, and at what else uses the machine',
}

/**
 * Creates a function that finds out whether a sandbox can handle calls. It reads from the database, and measures how long that
 * takes.
 */
export const createReadiness =
  (store: Store, database: Engine, isStarted: () => boolean, version: string) =>
  async (): Promise<Readiness> => {
    if (!isStarted()) return 'starting'
    const beganAt = performance.now()
    try {
      const result = await resultWithin(TIMEOUT_MS, read(store, database))
      if (result === undefined) return SILENT
      if (result.trouble) return result.trouble
      const { followers } = result
      return {
        lagMs: Math.round(performance.now() - beganAt),
        ...(database.freeBytes && { freeBytes: database.freeBytes() }),
        ...(followers && {
          versions: [...new Set([version, ...followers.map((one) => one.version)])].toSorted(),
        }),
      }
    } catch (error) {
      const trouble = databaseTroubleOf(error)
      if (trouble === undefined) throw error
      return trouble
    }
  }

async function read(store: Store, database: Engine) {
  const trouble = await findTrouble(store, database)
  return trouble ? { trouble } : { followers: await database.leadership?.followers() }
}

/** Why the database cannot be used. Rejects if it cannot even be read. */
export async function findTrouble(store: Store, database: Engine): Promise<Trouble | undefined> {
  const trouble = await database.trouble()
  if (trouble === undefined) await store.ping()
  return trouble
}
