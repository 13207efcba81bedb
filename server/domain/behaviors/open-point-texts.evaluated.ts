import { openPoints, type AssumptionName, type OpenPoint } from './open-points.ts'

/** The texts of all open points, without the code that validates values. The inspector needs only the texts. */
export const openPointTexts: Readonly<Record<AssumptionName, OpenPoint>> = openPoints
