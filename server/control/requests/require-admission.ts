import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Admission } from '../../platform/http/admission.ts'
import { problemResponse } from './problem.ts'

/** Rejects requests that are not admitted. The answer is a problem (RFC 9457). */
export const requireAdmission = (admit: (c: Context) => Admission) =>
  createMiddleware(async (c, next) => {
    const admission = admit(c)
    if (!admission.admitted) {
      const { status, reason, code } = admission
      return problemResponse(c, status, reason, { code })
    }
    await next()
    return undefined
  })
