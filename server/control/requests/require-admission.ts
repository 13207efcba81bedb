import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Admission } from '../../http/admission.ts'
import { write } from './problem.ts'

/** Turns away whoever is not admitted, with a problem. */
export const admitted = (admit: (c: Context) => Admission) =>
  createMiddleware(async (c, next) => {
    const admission = admit(c)
    if (!admission.admitted) return write(c, admission.status, 'Not admitted', admission.reason)
    await next()
    return undefined
  })
