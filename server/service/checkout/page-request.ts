import type { Context } from 'hono'
import { decodeLinkId } from '../../domain/links/link-id.ts'
import type { Link } from '../../domain/links/link.ts'
import * as links from '../../store/repositories/links.ts'
import type { UnitOfWork } from '../../store/store.ts'
import type { NodeEnv } from '../../platform/http/node-env.ts'
import { readBody } from '../../platform/http/read-request.ts'

export async function findLinkOfPage(
  { db }: Pick<UnitOfWork, 'db'>,
  linkId: string | undefined,
): Promise<Link | undefined> {
  const payId = linkId === undefined ? undefined : decodeLinkId(linkId)
  return payId === undefined ? undefined : links.withPayId(db, payId)
}

const MAX_FORM_BYTES = 16 * 1024

export interface Form {
  readonly fields: URLSearchParams
  /** Why the body is not a valid form. */
  readonly problem: string | null
}

/** Reads the body of a form. Any other body is invalid, because a customer's browser sends a form. */
export async function readForm(c: Context<NodeEnv>): Promise<Form> {
  const { bytes, tooLarge } = await readBody(c, MAX_FORM_BYTES)
  const type = c.req.header('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    return invalidForm(`Content-Type should be application/x-www-form-urlencoded, not ${type || 'missing'}.`)
  }
  if (tooLarge) return invalidForm(`A form should be at most ${MAX_FORM_BYTES / 1024} KiB.`)
  return { fields: new URLSearchParams(new TextDecoder().decode(bytes)), problem: null }
}

const invalidForm = (problem: string): Form => ({ fields: new URLSearchParams(), problem })
