import type { ImportView } from '../views.ts'
import { listNames } from './list-names.ts'
import { plural } from './values.ts'

/** What an import has done: the number of added calls, what was not compared, and what was left out and why. */
export const importLines = ({
  imported,
  different,
  comparisonSkipped,
  ignored,
  leftOut,
}: ImportView): string[] => [
  `${plural(imported, 'call')} imported, ${different} different from the sandbox. ${plural(ignored, 'other request')} ignored.`,
  ...Object.entries(comparisonSkipped).map(
    ([reason, count]) => `${plural(count, 'call')} not compared: ${reason}`,
  ),
  ...leftOutLines(leftOut),
]

/** One line for each reason. */
export function leftOutLines(leftOut: ImportView['leftOut']): string[] {
  const placesByReason = new Map<string, string[]>()
  for (const { place, reason } of leftOut) {
    placesByReason.set(reason, [...(placesByReason.get(reason) ?? []), place])
  }
  return [...placesByReason].map(([reason, places]) => `Left out ${listNames(places)}: ${reason}.`)
}
