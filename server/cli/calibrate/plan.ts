import { pointsOf, requestsOf } from '../../verify/calibration/calibrate.ts'
import {
  NOTE,
  paidOnly,
  unprobed,
  type CalibrationProbe,
  type ProbeRequest,
} from '../../verify/calibration/probes.ts'
import type { AssumptionName } from '../../domain/behaviors/open-points.ts'
import { plural } from '../../contract/format/values.ts'
import type { Rate } from '../../verify/calibration/rate-limit.ts'
import type { ProbeSelection } from '../../verify/calibration/select-probes.ts'

interface PlannedProbe {
  readonly probe: string
  readonly title: string
  readonly decides: readonly AssumptionName[]
  readonly requests: readonly Pick<ProbeRequest, 'name' | 'title' | 'operation' | 'creates' | 'awaits'>[]
}

interface CalibrationPlan {
  readonly calls: number
  /** The number of control calls among them. */
  readonly controlCalls: number
  readonly links: number
  readonly possibleLinks: number
  /** The number of links that someone has to pay or cancel. */
  readonly payments: number
  readonly probes: readonly PlannedProbe[]
  readonly notRun: readonly { readonly probe: string; readonly reason: string }[]
  readonly undecided: Readonly<Record<string, string>>
}

/** What a run would send, create and change. Sends nothing. */
export function planOf(selection: ProbeSelection, hasRecipient: boolean, pays: boolean): CalibrationPlan {
  const isRun = ({ needs }: CalibrationProbe): boolean => needs !== 'recipient' || hasRecipient
  const planned = selection.probes.filter(isRun)
  const requests = planned.flatMap((probe) => requestsOf(probe))
  const controlCalls = planned.length + 1
  return {
    calls: requests.filter(({ awaits }) => awaits === undefined).length + controlCalls,
    controlCalls,
    links: requests.filter(({ creates }) => creates === 'link').length + controlCalls,
    possibleLinks: requests.filter(({ creates }) => creates === 'possible-link').length,
    payments: requests.filter(({ awaits }) => awaits === 'redirect').length,
    probes: planned.map((probe) => ({
      probe: probe.name,
      title: probe.title,
      decides: pointsOf(probe),
      requests: requestsOf(probe).map(({ name, title, operation, creates, awaits }) => ({
        name,
        title,
        operation,
        ...(creates === undefined ? {} : { creates }),
        ...(awaits === undefined ? {} : { awaits }),
      })),
    })),
    notRun: selection.probes
      .filter((probe) => !isRun(probe))
      .map(({ name }) => ({
        probe: name,
        reason: 'It needs --recipient, the recipient token of another account.',
      })),
    undecided: Object.fromEntries(
      Object.entries({ ...unprobed, ...(!pays && paidOnly) }).filter(([name]) =>
        selection.points.has(name as AssumptionName),
      ),
    ),
  }
}

const CREATED: Readonly<Record<NonNullable<ProbeRequest['creates']>, string>> = {
  link: 'creates a link',
  'possible-link': 'creates a link, if the service accepts it',
}

export function* planLines(plan: CalibrationPlan, { calls, perMs }: Rate): Generator<string> {
  for (const { probe, title, decides, requests } of plan.probes) {
    yield `${probe}: ${title}`
    yield `  decides: ${decides.length === 0 ? 'nothing; it compares the answers' : decides.join(', ')}`
    for (const request of requests) {
      const note =
        request.creates === undefined
          ? request.awaits && 'no call: calibrate waits for it'
          : CREATED[request.creates]
      yield `  - ${request.title}${note === undefined ? '' : ` (${note})`}`
    }
  }
  for (const { probe, reason } of plan.notRun) yield `Not run: ${probe}. ${reason}`
  for (const reason of new Set(Object.values(plan.undecided))) {
    const names = Object.entries(plan.undecided).flatMap(([name, why]) => (why === reason ? [name] : []))
    yield `Not decided: ${names.join(', ')}. ${reason}`
  }
  const minutes = Math.floor((Math.max(0, plan.calls - 1) / calls) * (perMs / 60_000))
  yield `${plan.calls} calls, ${minutes === 0 ? 'less than a minute' : `${minutes} min or more`} at this rate. A call that is answered with HTTP 429 is repeated.`
  yield `${plan.controlCalls} of them are control calls: a plain createLink before the first probe and after each one shows that the service still works.`
  if (plan.payments > 0)
    yield `You pay or cancel ${plural(plan.payments, 'link')}. calibrate prints them, and requests a refund of what you paid.`
  const amounts = plan.payments > 0 ? '€0.01 or €0.10' : '€0.01'
  yield `They create ${plan.links} links of ${amounts}, and up to ${plan.possibleLinks} more that the service may refuse, each with the note "${NOTE}". No call of the API deletes a link.`
}
