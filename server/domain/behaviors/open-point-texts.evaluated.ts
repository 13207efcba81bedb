import { openPoints, type AssumptionName, type OpenPoint } from './open-points.ts'

/** The texts of all open points. The code that validates their values is left out. */
export const openPointTexts: Readonly<Record<AssumptionName, OpenPoint>> = openPoints
