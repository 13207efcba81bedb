import { probes, type CalibrationProbe, unprobed } from '../../calibration/probes.ts'
import { openPoints, type AssumptionName } from '../../domain/behaviors/open-points.ts'
import { didYouMeanSentence } from '../../domain/text/closest-match.ts'
import { UsageError } from '../../domain/text/usage-error.ts'

export interface Selection {
  /** The probes to run, in their order. */
  readonly probes: readonly CalibrationProbe[]
  /** The probes whose results count. The others show what answers to expect. */
  readonly wanted: ReadonlySet<CalibrationProbe>
  /** The open points to report. */
  readonly points: ReadonlySet<AssumptionName>
}

const pointNames = Object.keys(openPoints) as AssumptionName[]

export const pointsOf = ({ behaviors = [], assumptions = {} }: CalibrationProbe): AssumptionName[] => [
  ...behaviors,
  ...(Object.keys(assumptions) as AssumptionName[]),
]

/** Selects the probes that decide the named points, or all. */
export function selectProbes(only: readonly string[]): Selection {
  const names = only.flatMap((text) => text.split(',')).map((name) => name.trim())
  if (names.length === 0) return { probes, wanted: new Set(probes), points: new Set(pointNames) }

  const points = new Set(names.map(readPoint))
  const wanted = new Set(probes.filter((probe) => pointsOf(probe).some((name) => points.has(name))))
  const needsLink = [...wanted].some(({ needs }) => needs === 'link')
  const isNeeded = (probe: CalibrationProbe): boolean =>
    wanted.has(probe) ||
    probe.behaviors?.includes('errorStatus') === true ||
    (needsLink && probe === probes[0])
  return { probes: probes.filter(isNeeded), wanted, points }
}

function readPoint(name: string): AssumptionName {
  const point = pointNames.find((known) => known === name)
  if (point === undefined) {
    throw new UsageError(
      `--only ${name}: there is no such open point.${didYouMeanSentence(name, pointNames)} calibrate --plan lists them.`,
    )
  }
  const reason = (unprobed as Readonly<Partial<Record<AssumptionName, string>>>)[point]
  if (reason !== undefined) throw new UsageError(`--only ${point}: no call decides it. ${reason}`)
  return point
}
