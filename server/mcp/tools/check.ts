import { z } from 'zod'
import { callerOptions, receiverOptions } from '../../contract/checks/check-options.ts'
import { furtherReason } from '../../contract/format/further-reason.ts'
import { listNames } from '../../contract/format/list-names.ts'
import { furtherAdvice } from '../../contract/format/mistake-lines.ts'
import { CallerOptionsBody, CheckOptionsBody } from '../../contract/schemas/check.ts'
import type { CallerCheckResult } from '../../contract/checks/caller-check.ts'
import type { CheckResult } from '../../contract/checks/check.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import type { CallerRunOptions } from '../../verify/caller-check/caller-run-options.ts'
import type { CheckRunOptions } from '../../verify/app/run/check-run-options.ts'
import { ToolError } from '../explain-failure.ts'
import { createTool } from '../tool.ts'

const { url, ...options } = CheckOptionsBody.shape
const { failureText, paidText } = CallerOptionsBody.shape

const MAX_FAILURES = 15

export const checkTool = createTool({
  name: 'check',
  title: 'Check an app',
  description:
    'Tests an app, and says what it got wrong. receiver: sends the webhook receiver at url encodings, repetitions, wrong sequences and forgeries. caller: places orders by POST to url while calls are lost, late or refused, and while customers click twice or return with a forged status. For caller, the app must use this sandbox. Pass stateUrl so that it also checks whether orders are paid correctly. It can take some minutes.',
  input: z.strictObject({
    what: z.enum(['receiver', 'caller']),
    url,
    // Does not list the names of the cases, because the descriptions of all tools are part of every conversation.
    ...options,
    failureText,
    paidText,
  }),
  effect: { kind: 'adds', reachesApp: true },
  async run({ what, url: address, ...input }, { sandbox, inspector, signal, progress }) {
    const fields = omitUndefined(input)
    const ofOtherCheck = what === 'receiver' ? callerOptions : receiverOptions
    const wrong = Object.keys(fields).find((name) => Object.hasOwn(ofOtherCheck, name))
    if (wrong !== undefined)
      throw new ToolError(`${wrong} is not an option of a check of a ${what}. Leave it out.`)

    let done = 0
    const run = {
      ...fields,
      signal,
      onResult: ({ name, outcome }: CheckResult | CallerCheckResult) =>
        progress((done += 1), `${name}: ${outcome}`),
    } satisfies CheckRunOptions & CallerRunOptions
    const report =
      what === 'receiver' ? await sandbox.check(address, run) : await sandbox.checkCaller(address, run)
    const failed = report.results.filter(({ outcome }) => outcome === 'failed')
    const shown = failed
      .filter((result) => !('sameAs' in result) || result.sameAs === null)
      .slice(0, MAX_FAILURES)
    const more = failed.length - shown.length
    return {
      lines: [
        `${report.passed} passed, ${report.failed} failed, ${report.skipped} skipped`,
        ...report.mistakes.map(
          ({ title, case: name, others, remedy }) => `${title}: ${listNames([name, ...others])}. ${remedy}`,
        ),
        ...furtherAdvice(report),
        ...shown.map((result) =>
          [`✕ ${result.name}: ${result.title}. Expected: ${result.expected}.`, ...furtherReason(result)].join(
            ' ',
          ),
        ),
        ...(more > 0 ? [`${more} more failures, most of them with the same causes`] : []),
        ...(report.checked === 'answers'
          ? ['Orders were not checked. Pass stateUrl to also check them.']
          : []),
      ],
      inspector: inspector.screen('timeline'),
      untrusted: Object.fromEntries(shown.map(({ name, seen }) => [name, { seen }])),
    }
  },
})
