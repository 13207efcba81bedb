import type { CalibrationFile } from '../../contract/schemas/calibration.ts'
import type { ConfirmedPoints } from '../../domain/behaviors/behavior.ts'
import type { AssumptionName } from '../../domain/behaviors/open-points.ts'

/** The open points that a result of `calibrate` confirms. */
export const confirmedIn = ({ points }: CalibrationFile): ConfirmedPoints =>
  new Map(
    Object.entries(points).flatMap(([name, point]) =>
      point.verdict === 'confirmed' ? [[name as AssumptionName, point.value] as const] : [],
    ),
  )
