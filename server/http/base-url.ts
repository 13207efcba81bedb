import type { Context } from 'hono'

/** The base address for links in an answer: the public one if there is one, else the one the request came by. */
export type BaseUrl = (c: Context) => string

export const createBaseUrl =
  (publicUrl: string | undefined, ownOrigin: () => string): BaseUrl =>
  (c) => {
    if (publicUrl !== undefined) return publicUrl
    const host = c.req.header('host') ?? ''
    const asked = `${new URL(ownOrigin()).protocol}//${host}`
    return /^[\w.\-[\]:]{1,255}$/.test(host) && URL.canParse(asked) ? asked : ownOrigin()
  }
