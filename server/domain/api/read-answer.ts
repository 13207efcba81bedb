import { isRecord } from '../text/is-object.ts'
import type { Answer } from './describe-answer.ts'

/** The `data` of an answer, if it is an object. */
export function readData(answer: Answer | undefined): Readonly<Record<string, unknown>> | undefined {
  const envelope = readEnvelope(answer)
  return isRecord(envelope?.data) ? envelope.data : undefined
}

export function readEnvelope(answer: Answer | undefined): Readonly<Record<string, unknown>> | undefined {
  if (answer?.body.encoding !== 'utf8') return undefined
  try {
    const value: unknown = JSON.parse(answer.body.content)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The number in the pay link of a new link, plain or as base64, otherwise the id of the link. */
export function payIdIn(created: Answer | undefined): number | undefined {
  const { id, pay_link: payLink } = readData(created) ?? {}
  return numberIn(linkIdIn(payLink)) ?? (typeof id === 'number' ? id : undefined)
}

const linkIdIn = (payLink: unknown): string =>
  typeof payLink === 'string' && URL.canParse(payLink)
    ? (new URL(payLink).searchParams.get('link_id') ?? '')
    : ''

function numberIn(linkId: string): number | undefined {
  const text = /^\d+$/.test(linkId) ? linkId : decoded(linkId)
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function decoded(linkId: string): string {
  try {
    return atob(linkId)
  } catch {
    return ''
  }
}
