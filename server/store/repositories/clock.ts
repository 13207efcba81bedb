import type { Kysely } from 'kysely'
import { SYSTEM_CLOCK, type Clock } from '../../domain/time/clock.ts'
import * as meta from '../meta.ts'
import type { Database } from '../schema.ts'

export async function read(db: Kysely<Database>): Promise<Clock> {
  const text = await meta.read(db, 'clock')
  return text === undefined ? SYSTEM_CLOCK : (JSON.parse(text) as Clock)
}

export const save = (db: Kysely<Database>, clock: Clock): Promise<void> =>
  meta.write(db, 'clock', JSON.stringify(clock))
