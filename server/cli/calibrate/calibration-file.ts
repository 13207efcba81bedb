import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pointsOf, type Calibration, type FoundDifference } from '../../verify/calibration/calibrate.ts'
import { probes } from '../../verify/calibration/probes.ts'
import { readCalibration } from '../../runtime/config/read-calibration.ts'
import type {
  CalibrationDifference,
  CalibrationFile,
  CalibrationPoint,
} from '../../contract/schemas/calibration.ts'
import { openPoints, type AssumptionName } from '../../domain/behaviors/open-points.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { explainPathError } from '../../platform/system/file-trouble.ts'
import { makeFolder } from '../../platform/system/make-folder.ts'
import { fileIn, type CliIo } from '../io.ts'
import type { ProbeSelection } from '../../verify/calibration/select-probes.ts'

export const DEFAULT_FILE = 'paylink.calibration.json'

export async function readEarlier(file: string, io: CliIo): Promise<CalibrationFile | undefined> {
  const path = fileIn(io, file)
  return existsSync(path) ? readCalibration(path, file) : undefined
}

/** The result of a run in the format of the file. Points that the run left out or did not finish keep their earlier result. */
export function toCalibrationFile(
  calibration: Calibration,
  {
    target,
    sandbox,
    selection,
    earlier,
  }: {
    readonly target: string
    readonly sandbox: string
    readonly selection: ProbeSelection
    readonly earlier: CalibrationFile | undefined
  },
): CalibrationFile {
  const kept = earlier?.target === target ? earlier : undefined
  const finished = [...selection.wanted].filter((probe) => !calibration.unfinished.has(probe))
  const notRun = probes.filter((probe) => !selection.probes.includes(probe))
  const unfinished = new Set([...notRun, ...calibration.unfinished].flatMap(pointsOf))
  const replaced = new Set(finished.map(({ name }) => name))
  const selected = new Set([...selection.wanted].map(({ name }) => name))
  const names = Object.keys(openPoints) as AssumptionName[]
  return {
    version: 1,
    target,
    sandbox,
    points: Object.fromEntries(
      names.flatMap((name) => {
        const point = selection.points.has(name) ? calibration.points[name] : undefined
        const earlierPoint = kept?.points[name]
        const isLost = point?.verdict === 'undecided' && unfinished.has(name)
        const latest = point === undefined || (isLost && earlierPoint) ? earlierPoint : point
        return latest === undefined ? [] : [[name, latest]]
      }),
    ),
    differences: withoutRepetitions([
      ...(kept?.differences.filter(({ probe }) => !replaced.has(probe)) ?? []),
      ...calibration.differences.filter(({ probe }) => selected.has(probe)).map(plainDifference),
    ]).toSorted(byPlace),
    missing: [
      ...(kept?.missing?.filter(({ probe }) => !selected.has(probe)) ?? []),
      ...calibration.failures
        .filter(({ probe }) => selected.has(probe.name))
        .map(({ probe, step, failure }) => ({
          probe: probe.name,
          request: step.name,
          reason: failure ?? '',
        })),
    ],
  }
}

/** A difference without the two responses, which are too long for the file. */
const plainDifference = ({
  text: _text,
  exchange: _exchange,
  expectedExchange: _expected,
  ...plain
}: FoundDifference): CalibrationDifference => plain

const keyOf = ({ probe, request, place, kind, sandbox, service }: CalibrationDifference): string =>
  [probe, request, place, kind, sandbox, service].join('\n')

const withoutRepetitions = (differences: readonly CalibrationDifference[]): CalibrationDifference[] => [
  ...new Map(differences.map((one) => [keyOf(one), one])).values(),
]

const byPlace = (one: CalibrationDifference, other: CalibrationDifference): number =>
  keyOf(one) < keyOf(other) ? -1 : 1

const temporaryFile = (path: string): string => `${path}.tmp`

/** Reports an unwritable file before any calls are made. */
export async function rejectUnwritableFile(file: string, io: CliIo): Promise<void> {
  const path = fileIn(io, file)
  try {
    makeFolder(dirname(path))
    await writeFile(temporaryFile(path), '')
    await rm(temporaryFile(path))
  } catch (error) {
    throw cannotWrite(file, error, 'Pass another file with --file.')
  }
}

/** Replaces the file in one step, so that the earlier result remains if writing fails. */
export async function writeCalibrationFile(file: string, content: CalibrationFile, io: CliIo): Promise<void> {
  const path = fileIn(io, file)
  try {
    await writeFile(temporaryFile(path), `${JSON.stringify(content, null, 2)}\n`)
    await rename(temporaryFile(path), path)
  } catch (error) {
    await rm(temporaryFile(path), { force: true })
    throw cannotWrite(file, error, 'An earlier result in it is unchanged.')
  }
}

const cannotWrite = (file: string, error: unknown, advice: string): UsageError =>
  new UsageError(`The result cannot be written to ${file}: ${explainPathError(error)}. ${advice}`)

export interface CalibrationChange {
  /** The name of the open point, or where the difference is. */
  readonly name: string
  readonly text: string
}

const changedPlace = (difference: CalibrationDifference, change: string): CalibrationChange => ({
  name: `${difference.operation} ${difference.place}`,
  text: `${change}: ${describePlace(difference)}.`,
})

/** What has changed since an earlier run, apart from dates and counts. */
export function changesSince(earlier: CalibrationFile, later: CalibrationFile): CalibrationChange[] {
  const names = Object.keys(openPoints) as AssumptionName[]
  const before = new Map(earlier.differences.map((one) => [keyOf(one), one]))
  const after = new Map(later.differences.map((one) => [keyOf(one), one]))
  return [
    ...names.flatMap((name) => {
      const [was, is] = [earlier.points[name], later.points[name]].map(describePoint)
      return was === is ? [] : [{ name, text: `It was ${was}. Now it is ${is}.` }]
    }),
    ...[...after].flatMap(([key, one]) => (before.has(key) ? [] : [changedPlace(one, 'New difference')])),
    ...[...before].flatMap(([key, one]) =>
      after.has(key) ? [] : [changedPlace(one, 'The difference is gone')],
    ),
  ]
}

function describePoint(point: CalibrationPoint | undefined): string {
  if (point === undefined) return 'not checked'
  if (point.verdict === 'undecided') return 'undecided'
  if (point.verdict === 'differs') return 'different from the assumption'
  return point.value ?? 'as assumed'
}

const describePlace = ({ operation, request, place, sandbox, service }: CalibrationDifference): string =>
  `request ${request} of ${operation}, ${place}: ${service ?? 'missing'} in the service, ${sandbox ?? 'missing'} in the sandbox`
