import * as pins from '../../store/journal/pins.ts'
import type { UnitOfWork } from '../../store/store.ts'

/** Has an event stay in the journal, however many follow. */
export const pinEvent = ({ db }: UnitOfWork, seq: number): Promise<void> => pins.add(db, seq)

/** Lets it go again with the others of its age. */
export const unpinEvent = ({ db }: UnitOfWork, seq: number): Promise<void> => pins.remove(db, seq)
