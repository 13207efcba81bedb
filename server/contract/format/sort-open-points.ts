import { isBehaviorName } from '../../domain/behaviors/behavior.ts'
import type { RunReport } from '../../domain/events/run-report.ts'

type OpenPoints = RunReport['openPoints']

/** Puts the points that the sandbox can switch first, because their other options can be tested. */
export const sortOpenPoints = (points: OpenPoints): OpenPoints =>
  points.toSorted((one, other) => Number(isBehaviorName(other.name)) - Number(isBehaviorName(one.name)))
