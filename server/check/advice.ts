import { checkCases } from './cases.ts'
import type { Step } from './check-case.ts'
import type { CheckResult } from './check-result.ts'
import type { Rig } from './run-case.ts'

/** What is behind the failures of a receiver that takes no good webhook, or those as JSON alone, and what to do. */
export function adviceOn(
  { taken, lostIn }: Pick<Rig, 'taken' | 'lostIn'>,
  results: readonly CheckResult[],
): string | null {
  const forms = results.filter(({ name, outcome }) => FORMS.has(name) && outcome !== 'skipped')
  const isRefused = forms.length > 0 && forms.every(({ outcome }) => outcome === 'failed')
  // Whoever went away takes nothing by now, whatever they took before.
  if (!isRefused || lostIn !== undefined) return null
  if (taken.shown() === 'json') return JSON_ALONE
  const statuses = new Set(forms.map(({ exchange }) => exchange?.response?.status))
  const [status] = statuses
  return statuses.size === 1 && (status === 404 || status === 405) ? wrongPath(status) : null
}

const wrongPath = (status: number): string =>
  `Every good webhook was answered with ${status}: compare the path with the one on which the app takes webhooks, and whether it takes POST there.`

/** The cases of a good webhook that comes as a form, whatever the receiver takes. */
const FORMS: ReadonlySet<string> = new Set(
  checkCases
    .filter(({ answers, steps }) => answers === 'accepted' && steps.some(isForm))
    .map(({ name }) => name),
)

function isForm(step: Step): boolean {
  return 'send' in step && step.send.as === 'form'
}

const JSON_ALONE =
  'The receiver takes JSON alone. The service sends application/x-www-form-urlencoded, as the reference shows: parse forms too.'
