import { late } from '../receiver-check/failure.ts'
import { isJson } from '../../domain/text/is-json.ts'
import { truncate } from '../../domain/text/truncate.ts'
import type { CallerContext, CallerFailure } from './caller-case.ts'
import { NotPossibleError } from '../receiver-check/not-possible.ts'
import { describePage, isOrderRefused, checkPlacedOrder } from './check-order.ts'
import { createOrder, openReturnPage, placeOrder } from './place-order.ts'

/** Places an order with a note. Checks the note of its link, and how the pages of the app show it. */
export async function checkNote(context: CallerContext, text: string): Promise<CallerFailure | undefined> {
  const order = createOrder()
  const note = `${order.note.slice(-8)} ${text}`
  const placed = await placeOrder(context, { ...order, note })
  if (isOrderRefused(placed)) {
    throw new NotPossibleError(
      'the app created no order with this note',
      'order',
      describePage(placed.answers[0]!),
    )
  }
  const failure = checkPlacedOrder(context, placed, 'link')
  if (failure !== undefined) return failure
  const link = placed.links[0]!
  const isPassed = context.passesNotes || isCut(link.note, note)
  if (isPassed && !link.note.includes(note)) {
    return {
      problem: 'wrong-note',
      seen: `the note of the link is ${JSON.stringify(truncate(link.note, 120))}`,
    }
  }
  const page = await openReturnPage(context, link, { cookies: placed.cookies })
  if (!(page instanceof NotPossibleError) && (page.error !== null || page.status >= 500))
    return {
      problem: 'page-fails',
      seen: `the page of an order with this note: ${describePage(page)}`,
      ...late(page.isLate === true),
    }
  // JSON need not escape HTML, so a note in JSON proves nothing.
  const unescaped = [...placed.answers, ...(page instanceof NotPossibleError ? [] : [page])].find(
    (answer) => !isJson(answer.text) && showsMarkup(answer.text, text),
  )
  if (unescaped !== undefined) {
    return { problem: 'unescaped-note', seen: `${unescaped.url} shows ${text} as markup` }
  }
  if (!isPassed) throw new NotPossibleError('the app does not give its links the notes of its orders')
  return undefined
}

/** Whether the app has sent only the beginning of the note. */
const isCut = (passed: string, note: string): boolean => passed !== '' && note.startsWith(passed)

/** Whether a page contains the note as HTML: its tag, or the quote before the tag if the quote ends an attribute. */
export function showsMarkup(page: string, note: string): boolean {
  const tagAt = note.indexOf('<')
  if (tagAt === -1) return false
  return page.includes(note.slice(tagAt)) || endsAttribute(page, page.indexOf(note.slice(0, tagAt)))
}

/** Whether a double quote at an index of a page ends the value of an attribute. */
function endsAttribute(page: string, index: number): boolean {
  const start = page.lastIndexOf('<', index)
  if (index === -1 || start <= page.lastIndexOf('>', index)) return false
  let quote = ''
  for (const character of page.slice(start, index)) {
    if (character === quote) quote = ''
    else if (quote === '' && /["']/.test(character)) quote = character
  }
  return quote !== "'"
}
