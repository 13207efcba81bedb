import { isJson } from '../../domain/text/is-json.ts'
import { truncate } from '../../domain/text/truncate.ts'
import type { CallerContext, Failure } from './caller-case.ts'
import { judgeOrder } from './judge-order.ts'
import { createOrder, openReturnPage, placeOrder } from './place-order.ts'

/** Places an order with a note. Judges the note of its link, and how the pages of the app show it. */
export async function judgeNote(context: CallerContext, text: string): Promise<Failure | undefined> {
  const order = createOrder()
  const note = `${order.note.slice(-8)} ${text}`
  const placed = await placeOrder(context, { ...order, note })
  const failure = judgeOrder(context, placed, 'link')
  if (failure !== undefined) return failure
  const link = placed.links[0]!
  if (context.passesNotes && !link.note.includes(note)) {
    return {
      problem: 'wrong-note',
      seen: `the note of the link is ${JSON.stringify(truncate(link.note, 120))}`,
    }
  }
  const page = await openReturnPage(context, link, { cookies: placed.cookies })
  // JSON does not escape markup, so a note in it proves nothing.
  const unescaped = [...placed.answers, ...('whyNot' in page ? [] : [page])].find(
    (answer) => !isJson(answer.text) && showsMarkup(answer.text, text),
  )
  return unescaped && { problem: 'unescaped-note', seen: `${unescaped.url} shows ${text} as markup` }
}

const showsMarkup = (page: string, note: string): boolean => note.startsWith('<') && page.includes(note)
