import * as pins from '../../store/journal/pins.ts'
import type { UnitOfWork } from '../../store/store.ts'

/** Keeps an event in the journal, however many follow it. */
export const pinEvent = ({ db }: UnitOfWork, seq: number): Promise<void> => pins.add(db, seq)

/** Lets the journal drop an event again. */
export const unpinEvent = ({ db }: UnitOfWork, seq: number): Promise<void> => pins.remove(db, seq)
