import * as pins from '../../store/journal/pins.ts'
import type { Work } from '../../store/store.ts'

/** Has an event stay in the journal, however many follow. */
export const pinEvent = ({ db }: Work, seq: number): Promise<void> => pins.add(db, seq)

/** Lets it go again with the others of its age. */
export const unpinEvent = ({ db }: Work, seq: number): Promise<void> => pins.remove(db, seq)
