import seed from '../../fixtures/seed.json' with { type: 'json' }
import { MAX_CALLS } from '../../server/verify/caller-check/orders/check-order.ts'
import { casesOf, type FoundBy, mistakes } from '../../fixtures/laboratory/mistakes.ts'
import { oddities } from '../../fixtures/laboratory/oddities.ts'
import { callerCases } from '../../server/verify/caller-check/cases.ts'
import { checkCases } from '../../server/verify/receiver-check/cases.ts'
import type { CheckCase } from '../../server/verify/receiver-check/check-case.ts'
import { expectedAnswer, expectedOrder } from '../../server/verify/app/state/check-answer-and-order.ts'
import { usageOf } from '../../server/cli/command.ts'
import { commandNames, loadCommand } from '../../server/cli/commands.ts'
import { startFlags } from '../../server/cli/start-flags.ts'
import { WEBHOOK_GRACE_MS } from '../../server/cli/open-sandbox.ts'
import { DEFAULT_TIMEOUT_MS } from '../../server/client/default-timeout.ts'
import { sandboxOptions } from '../../server/runtime/config/options.ts'
import { CUSTOMER_TIMEOUT_MS, MAX_CUSTOMER_TIMEOUT_MS } from '../../server/contract/checks/check-times.ts'
import { MAX_WAIT_MS } from '../../server/contract/schemas/wait.ts'
import { isBehaviorName, resolveBehaviors } from '../../server/domain/behaviors/behavior.ts'
import { groupOpenPoints } from '../../server/domain/behaviors/open-point-groups.ts'
import {
  behaviorRow,
  describeAssumption,
  openPoints,
  type AssumptionName,
} from '../../server/domain/behaviors/open-points.ts'
import { createDiagnostic, diagnosticCodes } from '../../server/domain/diagnostics/diagnostic.ts'
import { MAX_REPORT_BYTES, MAX_REPORT_EVENTS } from '../../server/domain/events/report-range.ts'
import { MAX_STORED_BODY_BYTES } from '../../server/domain/http/exchange.ts'
import { formatMebibytes, MAX_BODY_BYTES } from '../../server/domain/http/limits.ts'
import { MAX_KEPT_BYTES, MAX_KEPT_REQUESTS } from '../../server/domain/network/tunnel.ts'
import { UPSTREAM_TIMEOUT_MS } from '../../server/domain/api/upstream.ts'
import { formText, listEffects } from '../../server/domain/faults/fault-effect.ts'
import { faultPoints } from '../../server/domain/faults/fault.ts'
import { formatSeconds, tunnelTimeoutMs, WEBHOOK_TIMEOUT_MS } from '../../server/domain/webhooks/limits.ts'
import { furtherEventTexts, paymentEventTexts } from '../../server/verify/receiver-check/histories/history.ts'
import { LEADER_TIMEOUT_MS } from '../../server/runtime/replicas/current-role.ts'
import { DRAIN_MS, MAX_LINGER_MS } from '../../server/runtime/replicas/start-replica.ts'
import { MAX_SILENCE_MS, QUERY_TIMEOUT_MS, RECONNECT_MS } from '../../server/store/postgres/session.ts'
import { sampleWebhook, webhookBody, webhookFields } from '../../server/domain/webhooks/webhook.ts'

type Row = readonly string[]

const code = (text: string): string => `\`${text}\``

/** Markdown reads text in angle brackets as a tag, except in code. */
const prose = (text: string): string => text.replaceAll('<', '\\<')

const table = (head: Row, rows: readonly Row[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``

const bodyOf = (encoding: 'form' | 'json'): string =>
  webhookBody(sampleWebhook, { ...resolveBehaviors(), webhookEncoding: encoding }).text

/** The open points. Those with options come first. */
const listed = (Object.keys(openPoints) as AssumptionName[]).map((name) => ({ name, ...openPoints[name] }))

const pointTable = (points: readonly (typeof listed)[number][]): string =>
  table(
    ['point', 'what the reference leaves open', 'what the sandbox does'],
    points.map(({ name, reference, assumption }) => [
      code(name),
      prose(reference),
      isBehaviorName(name) ? describeAssumption(behaviorRow(name), code) : prose(assumption),
    ]),
  )

/** Cases of a check. Advice that repeats that of the row above is not written again. */
const caseTable = (
  cases: readonly { readonly name: string; readonly title: string; readonly why: string }[],
) =>
  table(
    ['case', 'what happens', 'what to do'],
    cases.map(({ name, title, why }, index) => [
      code(name),
      prose(title),
      why === cases[index - 1]?.why ? 'As above.' : prose(why),
    ]),
  )

/** What the checks expect of an app that calls the API, by group of cases. */
const callerExpectations: Readonly<Record<(typeof callerCases)[number]['group'], string>> = {
  order: 'The customer gets a pay link',
  network: 'At most one link is created, and the customer gets it or an error message in time',
  busy: 'Few calls are made, and the customer gets the only link or an error message',
  refusal: 'The customer gets the only link or an error message, whatever the answer looks like',
  repetition: 'An order has one pay link, or the app refunds what is paid twice',
  amount: 'The link has exactly the amount of the order',
  note: 'The link has the note of the order, and pages show it as text',
  return: 'The return page works, and shows the true state of the order',
  secrets: 'Nobody sees the API key, or the order of someone else',
}

/** The reference tables and examples of README and guides, each made from its one source. */
const tables: Readonly<Record<string, () => string | Promise<string>>> = {
  accounts: () =>
    table(
      ['account', 'API key', 'recipient token'],
      seed.accounts.map(({ name, apiKey, recipientToken }) => [name, code(apiKey), code(recipientToken)]),
    ),
  commands: async () =>
    table(
      ['command', 'what it does'],
      await Promise.all(
        commandNames.map(async (name) => {
          const command = await loadCommand(name)
          const usage = usageOf(name, command).replace('npx paylink-sandbox ', '').replace(' [flags]', '')
          return [code(usage), prose(command.text)]
        }),
      ),
    ),
  callerCases: () =>
    Object.entries(callerExpectations)
      .map(([group, expectation]) => {
        const cases = callerCases.filter((callerCase) => callerCase.group === group)
        return `### ${expectation}\n\n${caseTable(cases)}`
      })
      .join('\n\n'),
  receiverCases: () =>
    [...groupByExpectation(checkCases)]
      .map(([expectation, cases]) => `### ${expectation}\n\n${caseTable(cases)}`)
      .join('\n\n'),
  mistakes: () =>
    table(
      ['mistake', 'what the shop does', 'found by'],
      mistakes.map(({ id, title, foundBy }) => [code(id), prose(title), describeFoundBy(foundBy)]),
    ),
  missedMistakes: () =>
    table(
      ['what the shop does', 'why no case finds it'],
      mistakes.flatMap(({ title, foundBy }) =>
        typeof foundBy === 'object' && 'missedBecause' in foundBy
          ? [[prose(title), prose(foundBy.missedBecause)]]
          : [],
      ),
    ),
  oddities: () =>
    table(
      ['oddity', 'what the shop does'],
      oddities.map(({ id, title }) => [code(id), prose(title)]),
    ),
  paymentEvents: () =>
    table(
      ['event', 'what happens'],
      Object.entries(paymentEventTexts).map(([name, text]) => [code(name), prose(text)]),
    ),
  furtherEvents: () =>
    table(
      ['event', 'what happens'],
      Object.entries(furtherEventTexts).map(([name, text]) => [code(name), prose(text)]),
    ),
  options: () =>
    table(
      ['flag', 'meaning (default)'],
      Object.entries(startFlags).map(([name, { value, text }]) => [
        code(`--${name}${value === undefined ? '' : ` ${value}`}`),
        prose(text),
      ]),
    ),
  openPoints: () => {
    const groups = groupOpenPoints(listed)
    return groups.map(({ title, points }) => `### ${title}\n\n${pointTable(points)}`).join('\n\n')
  },
  faults: () =>
    table(
      ['on', 'effect', 'what happens'],
      mergeByTail(
        faultPoints.flatMap((on) =>
          listEffects(on).map(({ forms, does }) => [
            code(on),
            forms.map((form) => code(formText(form))).join(' '),
            prose(does),
          ]),
        ),
      ),
    ),
  diagnostics: () =>
    table(
      ['code', 'severity', 'what was seen'],
      diagnosticCodes.map((name) => {
        const { severity, title } = createDiagnostic(name, '')
        return [code(name), severity, prose(title)]
      }),
    ),
  webhookFields: () =>
    table(
      ['field', 'meaning'],
      Object.entries(webhookFields).map(([name, { description }]) => [code(name), prose(description)]),
    ),
  webhookForm: () => fence('text', decodeURIComponent(bodyOf('form').replaceAll('+', ' '))),
  webhookJson: () => fence('json', bodyOf('json')),
}

const TABLE = /(<!-- table:(\w+) -->\n)[^]*?(<!-- \/table -->)/g

/** Values that the documents mention in sentences. */
const values: Readonly<Record<string, string>> = {
  webhookTimeout: formatSeconds(WEBHOOK_TIMEOUT_MS),
  tunnelTimeout: formatSeconds(tunnelTimeoutMs(WEBHOOK_TIMEOUT_MS)),
  tunnelRequests: String(MAX_KEPT_REQUESTS),
  tunnelBytes: formatMebibytes(MAX_KEPT_BYTES),
  maxBody: formatMebibytes(MAX_BODY_BYTES),
  storedBody: `${MAX_STORED_BODY_BYTES / 1024} KiB`,
  keep: sandboxOptions.keep.default.toLocaleString('en'),
  reportEvents: MAX_REPORT_EVENTS.toLocaleString('en'),
  reportBytes: formatMebibytes(MAX_REPORT_BYTES),
  waitTimeout: formatSeconds(DEFAULT_TIMEOUT_MS),
  maxWait: String(MAX_WAIT_MS),
  upstreamTimeout: formatSeconds(UPSTREAM_TIMEOUT_MS),
  customerTimeout: formatSeconds(CUSTOMER_TIMEOUT_MS),
  maxCustomerTimeout: formatSeconds(MAX_CUSTOMER_TIMEOUT_MS),
  maxCalls: String(MAX_CALLS),
  mistakes: String(mistakes.length),
  rightDesigns: String(oddities.length),
  stopTimeout: formatSeconds(WEBHOOK_GRACE_MS),
  replicaStopTimeout: formatSeconds(WEBHOOK_GRACE_MS + DRAIN_MS),
  // The time before and the time after it stops listening.
  replicaLinger: formatSeconds(2 * MAX_LINGER_MS),
  leaderTimeout: formatSeconds(LEADER_TIMEOUT_MS),
  leaderSilence: formatSeconds(MAX_SILENCE_MS),
  reconnectTimeout: formatSeconds(RECONNECT_MS),
  queryTimeout: formatSeconds(QUERY_TIMEOUT_MS),
}

const VALUE = /(<!-- value:(\w+) -->)[^<]*(<!-- \/value -->)/g

/** Returns the text with every table and value replaced by the one in the code. */
export async function withTables(markdown: string): Promise<string> {
  const names = [...markdown.matchAll(TABLE)].map(([, , name]) => name!)
  const made = new Map<string, string>()
  for (const name of names) {
    const make = tables[name]
    if (!make) throw new Error(`There is no table ${name}, only ${Object.keys(tables).join(', ')}.`)
    made.set(name, await make())
  }
  const withValues = markdown.replace(VALUE, (_all, open: string, name: string, close: string) => {
    const value = values[name]
    if (value === undefined)
      throw new Error(`There is no value ${name}, only ${Object.keys(values).join(', ')}.`)
    return open + value + close
  })
  return withValues.replace(
    TABLE,
    (_all, open: string, name: string, close: string) => `${open}\n${made.get(name)}\n\n${close}`,
  )
}

/** Makes one row of rows that differ only in their first cell. */
function mergeByTail(rows: readonly Row[]): Row[] {
  const merged = new Map<string, Row>()
  for (const [head, ...tail] of rows) {
    const same = merged.get(tail.join('|'))
    merged.set(tail.join('|'), [same ? `${same[0]} ${head}` : head!, ...tail])
  }
  return [...merged.values()]
}

function describeFoundBy(foundBy: FoundBy): string {
  if (typeof foundBy === 'string' || 'length' in foundBy) return casesOf(foundBy).map(code).join(', ')
  return 'ends' in foundBy
    ? `${code(foundBy.ends)} ends with exit code 2`
    : `nothing. ${prose(foundBy.missedBecause)}`
}

/** The expectations that cases have of the app, each with its cases. */
function groupByExpectation(cases: readonly CheckCase[]): Map<string, CheckCase[]> {
  const groups = new Map<string, CheckCase[]>()
  for (const checkCase of cases) {
    const expectation = expectationOf(checkCase)
    groups.set(expectation, [...(groups.get(expectation) ?? []), checkCase])
  }
  return groups
}

function expectationOf({ answer = 'accepted', finalOrder, run }: CheckCase): string {
  const text =
    finalOrder === undefined && run
      ? 'the order and its links fit what was paid'
      : finalOrder === undefined
        ? expectedAnswer[answer]
        : expectedOrder[finalOrder]
  return text[0]!.toUpperCase() + text.slice(1)
}
