import { z } from 'zod'
import { plural } from '../../contract/format/values.ts'
import { describeEvents } from '../describe-events.ts'
import { describeExchange } from '../describe-exchange.ts'
import { findingLines, findingsAbout, findingTexts } from '../describe-findings.ts'
import { createAction } from '../tool.ts'

/** The differences between the answers of the real service and of the sandbox. */
function comparisonLines(event: object): string[] {
  if ('comparisonSkipped' in event) return ['The answer was not compared with that of the sandbox.']
  const differences = 'differences' in event && Array.isArray(event.differences) ? event.differences : []
  return differences.length === 0
    ? []
    : [`The service answered differently from the sandbox in ${plural(differences.length, 'place')}.`]
}

export const getEventAction = createAction({
  description:
    'Shows one event with the bytes of its request and response, what is wrong with it, and the open points of the reference that it depended on. For a webhook that failed, explain_webhook says more.',
  input: z.strictObject({
    seq: z.int().min(1).meta({ description: 'For get: the number after # in a list.' }),
  }),
  effect: { kind: 'reads' },
  async run({ seq }, { sandbox, inspector }) {
    const { exchange, ...event } = await sandbox.event(seq)
    const findings = await findingsAbout(sandbox, [seq])
    const { lines, untrusted } = describeEvents([event])
    return {
      lines: [
        ...lines,
        ...('assumed' in event && event.assumed.length > 0
          ? [`It depended on these open points: ${event.assumed.join(', ')}.`]
          : []),
        ...comparisonLines(event),
        ...findingLines(findings),
      ],
      inspector: inspector.event(seq),
      untrusted: {
        ...untrusted,
        ...findingTexts(findings),
        ...('differences' in event && event.differences ? { differences: event.differences } : {}),
        ...(exchange === null ? {} : await describeExchange(exchange)),
      },
    }
  },
})
