import seed from '../../../fixtures/seed.json' with { type: 'json' }
import type { SeedInput } from '../../domain/state/seed-input.ts'
import type { Seed } from '../../domain/state/seed.ts'
import { readSeed } from './seed-file.ts'

/** The default seed, validated and converted at build time. */
export const builtInSeed: Seed = readSeed(seed as SeedInput)
