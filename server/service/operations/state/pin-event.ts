import * as pins from '../../../store/journal/pins.ts'
import type { UnitOfWork } from '../../../store/store.ts'

/** Keeps an event in the journal, even when the journal is full. */
export const pinEvent = ({ db }: UnitOfWork, seq: number): Promise<void> => pins.add(db, seq)

/** Allows the retention to remove an event again. */
export const unpinEvent = ({ db }: UnitOfWork, seq: number): Promise<void> => pins.remove(db, seq)
