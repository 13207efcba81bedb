import { MAX_CUSTOMER_TIMEOUT_MS } from '../checks/check-times.ts'
import {
  callerOptions,
  checkOptionComment,
  receiverOptions,
  sharedOptions,
  type CheckOption,
} from '../checks/check-options.ts'
import { z } from 'zod'
import { attemptErrorCodes } from '../../domain/webhooks/delivery-values.ts'
import {
  receiverProblems,
  type CheckReport,
  skipReasons,
  type CheckResult,
  type Probe,
  type ReceiverProblem,
} from '../checks/check.ts'
import {
  callerProblems,
  type CallerCheckReport,
  type CallerCheckResult,
  type CallerProblem,
} from '../checks/caller-check.ts'
import { severities } from '../../domain/diagnostics/diagnostic.ts'
import { ExchangeSchema } from './exchange.ts'
import { diagnosticCode, readonlyList, schemaFor } from './fields.ts'
import { httpUrl, unicodeText, wholeNumber } from './request-fields.ts'

const FindingSchema = z.object({
  code: diagnosticCode,
  severity: z.enum(severities),
  title: z.string(),
  seen: z.string(),
  expected: z.string(),
  fix: z.string(),
})

export const ProbeSchema = schemaFor<Probe>()(
  z
    .object({
      status: z.int().nullable().meta({ description: 'The HTTP status. Null if no answer came.' }),
      error: z.string().nullable().meta({ description: 'Why no answer came.' }),
      errorCode: z
        .enum(attemptErrorCodes)
        .optional()
        .meta({ description: 'The kind of error. Missing if there is no error.' }),
      ms: z.number().meta({ description: 'The duration in milliseconds.' }),
      exchange: ExchangeSchema,
      findings: readonlyList(FindingSchema).meta({
        description: 'The problems of the receiver that the answer shows.',
      }),
    })
    .meta({ id: 'Probe', description: 'A test POST that belongs to no payment, and its result.' }),
)

/** The result of one case, in the reports of all checks. */
const caseFields = {
  name: z.string(),
  group: z.string(),
  title: z.string().meta({ description: 'What happened.' }),
  why: z.string().meta({ description: 'Why it matters.' }),
  outcome: z.enum(['passed', 'failed', 'skipped']),
  ms: z.number().meta({ description: 'The duration in milliseconds.' }),
  expected: z.string(),
  seen: z.string().meta({ description: 'The observed result, or why the case was skipped.' }),
  skipReason: z.enum(skipReasons).nullable().meta({
    description:
      'Why the case was skipped: an option of the check would have to be set, the app created no order that suits the case, or the result would prove nothing. Null if it was not skipped.',
  }),
  example: z.string().optional().meta({
    description:
      'What the app did in this case, for a reason that several skipped cases can have. Follows `seen`.',
  }),
  isLate: z.literal(true).optional().meta({
    description:
      'Whether the case failed only because the app did not answer in time. Missing if the problem says so itself.',
  }),
  fact: z
    .object({
      title: z.string().meta({ description: 'The mistake, in the words of a shop.' }),
      remedy: z.string().meta({ description: 'What to do.' }),
    })
    .optional()
    .meta({ description: 'A fact that explains why the case failed. Missing if there is none.' }),
}

const receiverProblemSchema = z
  .enum(Object.keys(receiverProblems) as [ReceiverProblem, ...ReceiverProblem[]])
  .meta({ id: 'ReceiverProblem', description: 'What is wrong with the receiver.' })

/** Failed cases, grouped by their problem. */
const problemList = <Problem extends z.ZodEnum>(problem: Problem) =>
  readonlyList(z.object({ problem, title: z.string(), cases: readonlyList(z.string()) })).meta({
    description: 'What the mistakes lead to, each with the cases that found it.',
  })

/** The mistakes of an app. */
const mistakeList = <Problem extends z.ZodEnum>(problem: Problem) =>
  readonlyList(
    z.object({
      title: z.string().meta({ description: 'In the words of a shop.' }),
      problem,
      case: z.string().meta({ description: 'The name of the case that explains the mistake best.' }),
      answer: z.string().nullable().meta({
        description:
          'What the app answered to the last webhook of this case. Null if the case says it, or if there was no webhook.',
      }),
      remedy: z.string().meta({ description: 'What to do.' }),
      others: readonlyList(z.string()).meta({
        description: 'The names of the other failed cases that found it.',
      }),
      isSameCause: z.boolean().meta({
        description: 'Whether the other cases certainly failed for the same reason.',
      }),
    }),
  ).meta({ description: 'What is wrong with the app, the most expensive mistake first.' })

const ResultSchema = schemaFor<CheckResult>()(
  z
    .object({
      ...caseFields,
      problem: receiverProblemSchema.nullable().meta({ description: 'Null if the case has not failed.' }),
      sameAs: z.string().nullable().meta({
        description:
          'The earlier failed case with the same cause. Null if there is none, or if the cause is unknown.',
      }),
      isOtherOrder: z.literal(true).optional().meta({
        description:
          'Whether only a good webhook for another order failed, which was sent after the webhooks of the case.',
      }),
      exchange: ExchangeSchema.nullable().meta({ description: 'The answer that decided the verdict.' }),
      repeat: z.string().nullable().meta({
        description: 'A command that sends the same request again. Null if one request is not enough.',
      }),
    })
    .meta({ id: 'CheckResult', description: 'The result of one case.' }),
)

const reportFields = {
  accountId: z.string().nullable().meta({
    description: 'The account that the app uses. Null if the check created the links itself.',
  }),
  checked: z.enum(['answers', 'orders', 'fulfilments']).meta({
    description:
      'What the check examined: only answers, also whether orders are paid, or also how often they were fulfilled.',
  }),
  notChecked: readonlyList(z.string()).meta({
    description: 'What was not checked, and which option changes that.',
  }),
  delays: readonlyList(z.string()).meta({
    description: 'Why the check took long: the app answers slowly, or limits the number of orders.',
  }),
  passed: z.int(),
  failed: z.int(),
  skipped: z.int(),
}

export const CheckReportSchema = schemaFor<CheckReport>()(
  z
    .object({
      receiver: z.string(),
      ...reportFields,
      advice: z.string().nullable().meta({
        description: 'The common cause of several failures, and what to do. Null if none is known.',
      }),
      problems: problemList(receiverProblemSchema),
      mistakes: mistakeList(receiverProblemSchema),
      results: readonlyList(ResultSchema),
    })
    .meta({ id: 'CheckReport', description: 'The report of a receiver check.' }),
)

const problemSchema = z
  .enum(Object.keys(callerProblems) as [CallerProblem, ...CallerProblem[]])
  .meta({ id: 'CallerProblem', description: 'What is wrong with the app.' })

const CallerResultSchema = schemaFor<CallerCheckResult>()(
  z
    .object({
      ...caseFields,
      problem: problemSchema.nullable().meta({ description: 'Null if the case has not failed.' }),
    })
    .meta({ id: 'CallerCheckResult', description: 'The result of one case.' }),
)

export const CallerCheckReportSchema = schemaFor<CallerCheckReport>()(
  z
    .object({
      orderUrl: z.string(),
      ...reportFields,
      problems: problemList(problemSchema),
      mistakes: mistakeList(problemSchema),
      results: readonlyList(CallerResultSchema),
    })
    .meta({ id: 'CallerCheckReport', description: 'The report of a check of an app that calls the API.' }),
)

/** Less than five minutes, because `fetch` gives up after that. */
const MAX_CHECK_MS = 240_000

const totalTimeoutMs = wholeNumber(0, MAX_CHECK_MS)
  .default(MAX_CHECK_MS)
  .meta({ description: 'How long the whole check may take.' })

/** The schema for each kind of option. */
const values = {
  text: unicodeText,
  list: z.array(z.string()),
  switch: z.boolean(),
  number: z.int(),
  time: wholeNumber(0, 60_000),
}

type OptionFields<Table> = {
  [Name in keyof Table]: Table[Name] extends CheckOption<infer Kind>
    ? z.ZodOptional<(typeof values)[Kind]>
    : never
}

/** The fields of a request body for a table of check options. */
const optionFields = <Table extends Readonly<Record<string, CheckOption>>>(table: Table) =>
  Object.fromEntries(
    Object.entries(table).map(([name, option]) => {
      const schema = option.kind === 'number' ? wholeNumber(1, option.max!) : values[option.kind]
      return [name, schema.optional().meta({ description: checkOptionComment(option) })]
    }),
  ) as OptionFields<Table>

/** The body of a request that checks a receiver. */
export const CheckOptionsBody = z.strictObject({
  url: httpUrl.meta({ description: 'The receiver.', examples: ['http://localhost:3000/webhooks'] }),
  ...optionFields(sharedOptions),
  ...optionFields(receiverOptions),
  totalTimeoutMs,
})

const { timeoutMs, ...sharedFields } = optionFields(sharedOptions)

/** The body of a request that checks an app that calls the API. */
export const CallerOptionsBody = z.strictObject({
  url: httpUrl.meta({
    description: 'The URL of the app that places an order when it receives a POST.',
    examples: ['http://localhost:3000/orders'],
  }),
  ...sharedFields,
  ...optionFields(callerOptions),
  timeoutMs: wholeNumber(0, MAX_CUSTOMER_TIMEOUT_MS)
    .optional()
    .meta({ description: timeoutMs.meta()?.description ?? '' }),
  totalTimeoutMs,
})
