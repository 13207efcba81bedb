import { z } from 'zod'
import type { CallerRunOptions } from '../../verify/caller-check/caller-run-options.ts'
import { callerCases } from '../../verify/caller-check/cases.ts'
import { CallerOptionsBody } from '../../contract/schemas/check.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { problemLines } from '../../contract/format/problem-lines.ts'
import { createTool } from '../tool.ts'

/** The options that most apps need. Each description takes room in the model's context. */
const { url, stateUrl, statePointer, paidValue, orderBody, failureText, paidText } = CallerOptionsBody.shape

const MAX_FAILURES = 15

export const checkCallerTool = createTool({
  name: 'check_caller',
  title: 'Check an app that creates payment links',
  description:
    'Tests an app that calls the API: makes it place orders while calls are lost, late or refused, and while customers click twice or return with a forged status. The app must use this sandbox. It can take some minutes.',
  input: z.strictObject({
    url,
    only: z.array(z.enum(callerCases.map(({ name }) => name))).optional(),
    stateUrl,
    statePointer,
    paidValue,
    orderBody,
    failureText,
    paidText,
  }),
  effect: { kind: 'adds', reachesApp: true },
  async run({ url: orderUrl, ...given }, { sandbox, inspector, signal, progress }) {
    let done = 0
    const checkOptions: CallerRunOptions = {
      ...omitUndefined(given),
      signal,
      onResult: ({ name, outcome }) => progress((done += 1), `${name}: ${outcome}`),
    }
    const report = await sandbox.checkCaller(orderUrl, checkOptions)
    const failed = report.results.filter(({ outcome }) => outcome === 'failed')
    const shown = failed.slice(0, MAX_FAILURES)
    return {
      lines: [
        `${report.passed} passed, ${report.failed} failed, ${report.skipped} skipped`,
        ...problemLines(report),
        ...shown.map(
          ({ name, title, expected, why }) => `✕ ${name}: ${title}. Expected: ${expected}. ${why}`,
        ),
        ...(failed.length > shown.length ? [`${failed.length - shown.length} more failures`] : []),
        ...(report.judged === 'answers' ? ['Orders were not checked. Pass stateUrl to check them too.'] : []),
      ],
      inspector: inspector.screen('timeline'),
      untrusted: Object.fromEntries(shown.map(({ name, seen }) => [name, { seen }])),
    }
  },
})
