import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Access } from '../../platform/http/access.ts'
import { problemResponse } from './problem.ts'

/** Rejects requests without access. Responds with a problem (RFC 9457). */
export const requireAccess = (checkAccess: (c: Context) => Access) =>
  createMiddleware(async (c, next) => {
    const access = checkAccess(c)
    if (!access.granted) {
      const { status, reason, code } = access
      return problemResponse(c, status, reason, { code })
    }
    await next()
    return undefined
  })
