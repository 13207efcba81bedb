import { randomUUID } from 'node:crypto'
import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { formatAmount } from '../../../contract/format/values.ts'
import { CaseFailure, checkWith } from '../case-failure.ts'
import type { CaseTools } from '../case-tools.ts'
import { hasOtherNote, NotPossibleError, quoteNote } from '../../app/run/not-possible.ts'
import { NoOrderError } from '../../app/run/check-error.ts'
import { SLOW_MS } from '../../app/run/time-limit.ts'
import { needJson } from './json-fields.ts'

const unique = (): string => randomUUID().slice(0, 8)

/**
 * Makes an order whose customer has written this note. The app may give the link a note of its own. If the app refuses the order, returns
 * why the case is not possible.
 */
async function makeNoted(tools: CaseTools, note: string): Promise<CheckedOrder | NotPossibleError> {
  try {
    return await tools.make({ wantedOrder: { note }, isNoteShared: true })
  } catch (error) {
    if (error instanceof NoOrderError && !error.hasFailed && error.refusedCall === undefined)
      return new NotPossibleError(
        'the app refused an order with an unusual note',
        'order',
        `${quoteNote(note)}: ${error.reason}`,
      )
    throw error
  }
}

function needDistinctState({ context }: CaseTools): void {
  if (!context.options.stateUrl?.includes('{note}')) return
  throw new NotPossibleError(
    '--state-url finds orders by their note, and two orders would share one',
    'option',
  )
}

async function payOneByOne(tools: CaseTools, first: CheckedOrder, second: CheckedOrder): Promise<void> {
  await tools.post(second)
  await tools.expectPaid(second)
  await tools.expectNow(first, 'unpaid')
  await tools.post(first)
  await tools.expectPaid(first)
  await tools.waitForOtherOrder()
  await tools.expectNow(second, 'paid-once', true)
}

/** Two orders have the same note. One of them is paid, and then the other one. */
export async function shareNote(tools: CaseTools): Promise<void> {
  needDistinctState(tools)
  const note = `Roses ${unique()}`
  const first = await makeNoted(tools, note)
  const second = await makeNoted(tools, note)
  if (first instanceof NotPossibleError) throw first
  if (second instanceof NotPossibleError) throw second
  if (first.id === second.id) {
    if (!tools.orders.canOrderAgain) throw new NotPossibleError('the app takes two orders for one')
    const seen = `two customers ordered for ${formatAmount(first.amount)} with the same note, and both got the same pay link: ${first.id}`
    throw new CaseFailure({ problem: 'wrong-link', seen }, second)
  }
  await cancelAlike(tools, first, note)
  await payOneByOne(tools, first, second)
}

/** Cancels a different order with the same note, and expects that only that order changes. */
async function cancelAlike(tools: CaseTools, order: CheckedOrder, note: string): Promise<void> {
  const cancelled = await makeNoted(tools, note)
  if (cancelled instanceof NotPossibleError) return
  const before = await tools.read(order)
  await tools.post(cancelled, { status: 'cancel' })
  await tools.waitForOtherOrder()
  const [after, other] = [await tools.read(order), await tools.read(cancelled)]
  if (before.value === after.value || after.value !== other.value) return
  const seen = `the cancel of another order with the same note gave the order the state ${JSON.stringify(after.value)}`
  throw new CaseFailure({ problem: 'cancelled-by-other', seen }, order)
}

/** Pairs of notes that a careless comparison considers equal, each with the difference. */
function similarNotes(): readonly (readonly [string, string, string])[] {
  const [roses, zoe, tulips] = [`Roses ${unique()}1`, `Zoë ${unique()}`, `Tulips ${unique()}`]
  const digits = String(Math.floor((1 + Math.random()) * 1e15))
  return [
    ['with two notes of which one begins with the other', roses, `${roses}2`],
    ['with two notes that differ only in case and accents', zoe, zoe.toUpperCase().replace('Ë', 'E')],
    ['with two notes that differ only in a space at the end', tulips, `${tulips} `],
    ['with two numbers as notes that differ only in leading zeros', digits, `00${digits}`],
    ['with two long numbers as notes that differ only in the last digit', `${digits}001`, `${digits}002`],
  ]
}

export async function confuseNotes(tools: CaseTools): Promise<void> {
  needDistinctState(tools)
  const reasons = await Promise.all(
    similarNotes().map(async ([what, one, other]) => {
      const first = await makeNoted(tools, one)
      const second = await makeNoted(tools, other)
      if (first instanceof NotPossibleError) return first
      if (second instanceof NotPossibleError) return second
      if (first.note === second.note) return hasOtherNote(second.note, other)
      await checkWith(what, () => payOneByOne(tools, first, second))
      return undefined
    }),
  )
  if (!reasons.includes(undefined)) throw reasons[0]!
}

/** Notes that code often changes, each with what is special about it. */
const oddNotes = (): readonly (readonly [string, string])[] => [
  ['quotes and backslashes', `O'Brien "${unique()}" \\ C:\\new`],
  ['a comma', `Meyer, Anna ${unique()}`],
  ['hyphens', `follow-up-order ${unique()}`],
  ['the signs of an address', `a=b&c=d#e?f+g%20h/${unique()}`],
  ['markup', `<b>${unique()}</b> &amp; 5 > 3`],
  ['two lines', `two lines\n${unique()}`],
  ['digits and leading zeros', `00${Math.floor(Math.random() * 1e9)}`],
  ['spaces at both ends', `  ${unique()} `],
  ['a combined accent', `Zoe\u0308 ${unique()}`],
  ['percent signs', `100 % %41 ${unique()}`],
  ['two spaces and a tab', `two  spaces\t${unique()}`],
  ['two hundred faces', `${'😀'.repeat(200)} ${unique()}`],
]

/** Pays orders with notes that code often changes, and opens the customers' pages. */
export async function payOddNotes(tools: CaseTools): Promise<void> {
  if (tools.context.options.stateUrl?.includes('{note}')) {
    throw new NotPossibleError(
      '--state-url finds orders by their note, and such a note may arrive changed in a URL',
      'option',
    )
  }
  const reasons = await Promise.all(
    oddNotes().map(async ([what, note]) => {
      const order = await makeNoted(tools, note)
      if (order instanceof NotPossibleError) return order
      await checkWith(`with ${what} in the note`, async () => {
        await tools.post(order)
        await tools.expectPaid(order)
        if (order.callbackUrl !== '' && tools.orders.appMakesOrders)
          tools.assertPage(order, await tools.browse(order, 'Success'))
      })
      return undefined
    }),
  )
  if (!reasons.includes(undefined)) throw reasons[0]!
}

/** JSON arrives in pieces, with characters of its note split between two pieces. */
export async function sendSlowJson(tools: CaseTools): Promise<void> {
  await needJson(tools)
  const note = `${'😀'.repeat(20)} ${unique()}`
  const order = await makeNoted(tools, note)
  if (order instanceof NotPossibleError) throw order
  if (!order.note.includes(note)) throw hasOtherNote(order.note, note)
  await tools.post(order, { encoding: 'json', slowMs: SLOW_MS })
  await tools.expectPaid(order)
}
