import { builtInSeed } from '../config/built-in-seed.evaluated.ts'
import { readCalibration } from '../config/read-calibration.ts'
import { checkMaps, checkUpstream, type SandboxSettings } from '../config/read-options.ts'
import { readSeed, seedError, sentence } from '../config/seed-file.ts'
import type { CalibrationFile } from '../contract/schemas/calibration.ts'
import { ApiError } from '../domain/api/api-error.ts'
import type { SeedInput } from '../domain/state/seed-input.ts'
import { createOwnPathResolver } from '../http/own-path.ts'
import { withStableIdentities } from '../operations/accounts/draft-account.ts'
import { type InitialState, initializeIfNew } from '../operations/state/reset.ts'
import { openDatabase } from '../store/open-database.ts'
import { Store } from '../store/store.ts'
import type { Certificate } from '../tls/certificate.ts'
import { openCertificate } from '../tls/open-certificate.ts'
import { originOf } from './origin-of.ts'

/** What the files contain that options name. */
export interface Prepared {
  readonly initialState: InitialState
  readonly calibration: CalibrationFile | undefined
  readonly certificate: Certificate | undefined
}

/** Reads the files that options name, and rejects options that cannot work, before a database is opened. */
export async function prepare(settings: SandboxSettings): Promise<Prepared> {
  const { host, port, db, seed, publicUrl, maps, allowedHosts } = settings
  const initialState: InitialState = {
    seed: withStableIdentities(seed === undefined ? builtInSeed : readSeed(seed)),
    behaviors: settings.behaviors,
    clock: settings.clock,
    egressRules: { maps, allowedHosts },
  }
  const ownPath = createOwnPathResolver({ host, publicUrl, origin: () => originOf(settings, port) })
  checkMaps(maps, ownPath)
  checkUpstream(settings.upstream, ownPath)
  if (seed !== undefined) await validateSeed(seed, initialState)
  return {
    initialState,
    calibration: settings.calibration === undefined ? undefined : readCalibration(settings.calibration),
    certificate: await openCertificate(settings, { db, host, publicUrl }),
  }
}

/** Loads a seed into a database in memory first, so that an invalid one is rejected before anything changes. */
async function validateSeed(given: SeedInput | string, initialState: InitialState): Promise<void> {
  const database = await openDatabase(':memory:')
  try {
    const store = new Store(
      database,
      () => new Date(),
      () => undefined,
    )
    await store.transact((work) => initializeIfNew(work, initialState))
  } catch (error) {
    throw error instanceof ApiError ? seedError(given, sentence(error.message)) : error
  } finally {
    await database.close()
  }
}
