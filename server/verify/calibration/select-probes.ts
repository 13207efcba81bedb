import { pointsOf } from './calibrate.ts'
import { paidOnly, probes, unprobed, type CalibrationProbe } from './probes.ts'
import { openPoints, type AssumptionName } from '../../domain/behaviors/open-points.ts'
import { didYouMeanSentence } from '../../domain/text/closest-match.ts'
import { UsageError } from '../../domain/text/usage-error.ts'

export interface ProbeSelection {
  /** The probes to run, the first one first. */
  readonly probes: readonly CalibrationProbe[]
  /** The probes whose results are reported. Others only show which responses to expect. */
  readonly wanted: ReadonlySet<CalibrationProbe>
  /** The open points to report. */
  readonly points: ReadonlySet<AssumptionName>
}

const pointNames = Object.keys(openPoints) as AssumptionName[]

/** Selects the probes that decide the named points, or all points. `pays` says whether a person pays links. */
export function selectProbes(only: readonly string[], pays: boolean): ProbeSelection {
  const names = only.flatMap((text) => text.split(',')).map((name) => name.trim())
  const possible = probes.filter(({ needs }) => pays || needs !== 'payment')
  if (names.length === 0) return { probes: possible, wanted: new Set(possible), points: new Set(pointNames) }

  const points = new Set(names.map((name) => readPoint(name, pays)))
  const wanted = new Set(possible.filter((probe) => pointsOf(probe).some((name) => points.has(name))))
  const isNeeded = (probe: CalibrationProbe): boolean =>
    wanted.has(probe) || probe.behaviors?.includes('errorStatus') === true
  return { probes: possible.filter(isNeeded), wanted, points }
}

function readPoint(name: string, pays: boolean): AssumptionName {
  const point = pointNames.find((known) => known === name)
  if (point === undefined) {
    throw new UsageError(
      `--only ${name} names no open point.${didYouMeanSentence(name, pointNames)} calibrate --plan lists them.`,
    )
  }
  const reasons: Readonly<Partial<Record<AssumptionName, string>>> = { ...unprobed, ...(!pays && paidOnly) }
  const reason = reasons[point]
  if (reason !== undefined)
    throw new UsageError(
      `--only ${point} has no effect, because no call can answer this open point. ${reason}`,
    )
  return point
}
