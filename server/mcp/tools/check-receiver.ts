import { z } from 'zod'
import { CheckOptionsBody } from '../../contract/schemas/check.ts'
import type { CheckRunOptions } from '../../verify/receiver-check/check-run-options.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { problemLines } from '../../contract/format/problem-lines.ts'
import { createTool } from '../tool.ts'

const { url, ...options } = CheckOptionsBody.shape

const MAX_FAILURES = 15

export const checkReceiverTool = createTool({
  name: 'check_receiver',
  title: 'Check a webhook receiver',
  description:
    'Tests the webhook receiver of an app with encodings, repetitions, wrong orders and forgeries, and says what it got wrong. Pass stateUrl so that it also checks whether orders are paid correctly. It can take a minute.',
  input: z.strictObject({
    url,
    // The names of the cases are not listed, because the descriptions of all tools are part of every conversation.
    ...options,
  }),
  effect: { kind: 'adds', reachesApp: true },
  async run({ url: receiver, ...given }, { sandbox, inspector, signal, progress }) {
    let done = 0
    const checkOptions: CheckRunOptions = {
      ...omitUndefined(given),
      signal,
      onResult: ({ name, outcome }) => progress((done += 1), `${name}: ${outcome}`),
    }
    const report = await sandbox.check(receiver, checkOptions)
    const failed = report.results.filter(({ outcome }) => outcome === 'failed')
    const shown = failed.filter(({ sameAs }) => sameAs === null).slice(0, MAX_FAILURES)
    const others = failed.length - shown.length
    return {
      lines: [
        `${report.passed} passed, ${report.failed} failed, ${report.skipped} skipped`,
        ...problemLines(report),
        ...(report.advice === null ? [] : [report.advice]),
        ...shown.map(
          ({ name, title, expected, why }) => `✕ ${name}: ${title}. Expected: ${expected}. ${why}`,
        ),
        ...(others > 0 ? [`${others} more failures, most of them with the same causes`] : []),
        ...(report.judged === 'answers' ? ['Orders were not checked. Pass stateUrl to check them too.'] : []),
      ],
      inspector: inspector.screen('timeline'),
      untrusted: Object.fromEntries(shown.map(({ name, seen }) => [name, { seen }])),
    }
  },
})
