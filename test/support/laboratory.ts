import { appendFileSync } from 'node:fs'
import type { Sandbox } from '../../server/client/connect-sandbox.ts'
import { CheckError } from '../../server/verify/app/run/check-error.ts'
import { casesOf, type Mistake, mistakes } from '../../fixtures/laboratory/mistakes.ts'
import { oddities, type Oddity } from '../../fixtures/laboratory/oddities.ts'
import { affectedCases } from './affected-cases.ts'
import { sized } from './size.ts'
import { type Change, startShop } from '../../fixtures/laboratory/shop.ts'

/** The results of the checks of one shop. */
export interface CheckedShop {
  readonly id: string
  readonly title: string
  readonly isRight: boolean
  /** The failed cases, with what each has seen. The keys contain the name of the check: `check repeated`. */
  readonly found: Readonly<Record<string, string>>
  /** Why a check ended without a result. */
  readonly errors: readonly string[]
  /** How long each check took. */
  readonly seconds: readonly number[]
}

type CheckCommand = 'check' | 'check --caller'

interface Subject {
  readonly id: string
  readonly title: string
  readonly isRight: boolean
  readonly change: Change
  /** The cases to run, or `all`. A check that is not named does not run. */
  readonly cases: Readonly<Partial<Record<CheckCommand, readonly string[] | 'all'>>>
  readonly timeoutMs?: number
  readonly options?: Oddity['options']
}

const ORDER_BODY = '{"order":"{order}","amount":{amount},"note":"{note}"}'

async function runOne(
  sandbox: Sandbox,
  command: CheckCommand,
  { change, cases, timeoutMs, options = {} }: Subject,
): Promise<readonly { readonly name: string; readonly outcome: string; readonly seen: string }[]> {
  const { apiKey } = await sandbox.createAccount()
  await using shop = await startShop({ url: sandbox.url, apiKey }, change)
  const { orderPath = '/orders', formPath, skip, ...further } = options
  const orderUrl = `${shop.url}${String(orderPath)}`
  const only = cases[command]
  const common = {
    stateUrl: shop.stateUrl,
    countPointer: '/fulfilled,/mails,/invoices,/stock',
    receivedPointer: '/received',
    refundedPointer: '/refunded',
    cancelledValue: 'cancelled',
    orderBody: ORDER_BODY,
    ...(Array.isArray(only) ? { only: only as string[] } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(formPath === undefined ? {} : { formUrl: `${shop.url}${String(formPath)}` }),
    ...further,
  }
  const refundUrl = `${shop.refundUrl}?amount={refundAmount}`
  const skipped = skip === undefined ? {} : { skip: skip as string[] }
  const { results } = await (command === 'check'
    ? sandbox.check(shop.receiver, { orderUrl, refundUrl, ...common, ...skipped })
    : sandbox.checkCaller(orderUrl, { paidText: 'Your order is paid', ...common }))
  return results
}

/** Runs the checks of a shop, each in an account of its own. */
async function checkShop(sandbox: Sandbox, subject: Subject): Promise<CheckedShop> {
  const { id, title, isRight, cases } = subject
  const found: Record<string, string> = {}
  const errors: string[] = []
  const seconds: number[] = []
  for (const command of Object.keys(cases) as CheckCommand[]) {
    const started = performance.now()
    try {
      for (const { name, outcome, seen } of await runOne(sandbox, command, subject)) {
        if (outcome === 'failed') found[`${command} ${name}`] = seen
      }
    } catch (error) {
      if (!(error instanceof CheckError)) throw error
      errors.push(`${command}: ${error.message}`)
    }
    seconds.push(Math.round((performance.now() - started) / 1000))
  }
  return { id, title, isRight, found, errors, seconds }
}

/** How many shops are checked at the same time. Most of the time they wait. */
const AT_ONCE = 6

async function checkAll(sandbox: Sandbox, subjects: readonly Subject[]): Promise<readonly CheckedShop[]> {
  const results: CheckedShop[] = []
  const waiting = [...subjects.entries()]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, subject] = next
      results[index] = await checkShop(sandbox, subject)
      const { PAYLINK_TEST_MATRIX: file } = process.env
      if (file) appendFileSync(file, `${JSON.stringify(results[index])}\n`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results
}

/** The shops whose names match `PAYLINK_TEST_SHOPS`, or one of `every`. */
function choose<Shop extends { readonly id: string }>(shops: readonly Shop[], every = 1): readonly Shop[] {
  const { PAYLINK_TEST_SHOPS: names } = process.env
  return names === undefined
    ? shops.filter((_shop, index) => index % every === 0)
    : shops.filter(({ id }) => new RegExp(`^(${names})$`).test(id))
}

export const chosenMistakes = (): readonly Mistake[] => choose(mistakes)

/** All cases run for each oddity, which takes longer. */
export const chosenOddities = (): readonly Oddity[] => choose(oddities, sized({ full: 1, small: 12 }))

const ALL = { check: 'all', 'check --caller': 'all' } as const

/** These cases of the receiver check examine the orders of other cases. */
const LOOK_BACK = new Set([
  'check closing-look',
  'check late-repetition',
  'check late-cancel',
  'check late-payment',
  'check no-further-links',
  'check api-key',
])
const LOOKED_BACK_AT = ['repeated', 'cancelled', 'forged-amount', 'second-payment', 'both-links-paid']

function casesFor({ foundBy }: Mistake): Subject['cases'] {
  if (process.env.PAYLINK_TEST_MATRIX) return ALL
  const named = casesOf(foundBy)
  if (named.length === 0)
    return typeof foundBy === 'object' && 'ends' in foundBy ? { [foundBy.ends]: 'all' } : ALL
  const cases: Partial<Record<CheckCommand, string[]>> = {}
  for (const one of named) {
    const [, command, name] = /^(check(?: --caller)?) ([\w-]+)$/.exec(one)!
    const ofCommand = (cases[command as CheckCommand] ??= [])
    ofCommand.push(...(LOOK_BACK.has(one) ? LOOKED_BACK_AT : []), name!)
  }
  return cases
}

/**
 * Runs the checks for shops with a mistake. Runs only the case that must find the mistake, because most other cases wait for
 * something that a wrong shop never does. With `PAYLINK_TEST_MATRIX`, all cases run.
 */
export const checkMistakes = (sandbox: Sandbox): Promise<readonly CheckedShop[]> =>
  checkAll(
    sandbox,
    chosenMistakes().map((mistake) => ({ ...mistake, isRight: false, cases: casesFor(mistake) })),
  )

/** Some unusual shops work only after a while. A correct shop never needs this time. */
const TIMEOUT_MS = 15_000

/** All cases run for the correct shop, and for each oddity if someone asks for the full size. CI leaves out what no oddity can change. */
const casesForOddity = ({ id, change }: Oddity): Subject['cases'] =>
  id === 'right' || process.env.PAYLINK_TEST_SIZE === 'full' ? ALL : affectedCases(change)

/** What the checks find in shops that are right. */
export const checkOddities = (sandbox: Sandbox): Promise<readonly CheckedShop[]> =>
  checkAll(
    sandbox,
    chosenOddities().map((oddity) => ({
      ...oddity,
      isRight: true,
      cases: casesForOddity(oddity),
      timeoutMs: TIMEOUT_MS,
    })),
  )
