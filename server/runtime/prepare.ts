import { builtInSeed } from './config/built-in-seed.evaluated.ts'
import { checkMaps, checkUpstream, type SandboxSettings } from './config/read-options.ts'
import type { CalibrationFile } from '../contract/schemas/calibration.ts'
import { ApiError } from '../domain/api/api-error.ts'
import type { Seed } from '../domain/state/seed.ts'
import type { SeedInput } from '../domain/state/seed-input.ts'
import { createOwnPathResolver } from '../platform/http/own-path.ts'
import { withStableIdentities } from '../service/operations/accounts/draft-account.ts'
import { type InitialState, initializeIfNew } from '../service/operations/state/reset.ts'
import { openDatabase } from '../store/open-database.ts'
import { Store } from '../store/store.ts'
import type { Certificate } from '../platform/tls/certificate.ts'
import { openCertificate } from '../platform/tls/open-certificate.ts'
import { asSentence } from '../domain/text/as-sentence.ts'
import { originOf } from './origin-of.ts'

// Loaded on demand, because the schemas are needed only if an option names a file.
const loadSeedFile = () => import('./config/seed-file.ts')
const loadCalibrationFile = () => import('./config/read-calibration.ts')

/** The contents of the files in the options. */
export interface PreparedFiles {
  readonly initialState: InitialState
  readonly calibration: CalibrationFile | undefined
  readonly certificate: Certificate | undefined
}

async function readSeed(seed: SeedInput | string): Promise<Seed> {
  const seedFile = await loadSeedFile()
  return typeof seed === 'string' ? seedFile.readSeedFile(seed) : seedFile.readSeed(seed)
}

/** Reads the files in the options, and rejects options that cannot work, before a database is opened. */
export async function prepare(settings: SandboxSettings): Promise<PreparedFiles> {
  const { host, port, db, seed, calibration, publicUrl, maps, allowedHosts } = settings
  const initialState: InitialState = {
    seed: withStableIdentities(seed === undefined ? builtInSeed : await readSeed(seed)),
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
    calibration:
      calibration === undefined
        ? undefined
        : await (await loadCalibrationFile()).readCalibration(calibration),
    certificate: await openCertificate(settings, { db, host, publicUrl }),
  }
}

/** Loads a seed into a database in memory first, so that an invalid seed is rejected before anything changes. */
async function validateSeed(seed: SeedInput | string, initialState: InitialState): Promise<void> {
  const database = await openDatabase(':memory:')
  try {
    const store = new Store(
      database,
      () => new Date(),
      () => undefined,
    )
    await store.transact((work) => initializeIfNew(work, initialState))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { seedError } = await loadSeedFile()
    throw seedError(typeof seed === 'string' ? seed : undefined, asSentence(error.message))
  } finally {
    await database.close()
  }
}
