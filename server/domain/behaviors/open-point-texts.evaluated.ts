import { openPoints, type AssumptionName, type OpenPoint } from './open-points.ts'

/** The texts of all open points, without what is needed to switch them. */
export const openPointTexts: Readonly<Record<AssumptionName, OpenPoint>> = openPoints
