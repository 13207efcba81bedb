import type { Place } from '../../server/domain/fault.ts'
/** Where a fault strikes, for people. */
export declare const placeText: Readonly<Record<Place, string>>
