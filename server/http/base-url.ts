import type { Context } from 'hono'

/** The base of links in an answer: the public URL, or else the address that the request was sent to. */
export type BaseUrl = (c: Context) => string

export const createBaseUrl =
  (publicUrl: string | undefined, ownOrigin: () => string): BaseUrl =>
  (c) => {
    if (publicUrl !== undefined) return publicUrl
    const host = c.req.header('host') ?? ''
    const url = `${new URL(ownOrigin()).protocol}//${host}`
    return /^[\w.\-[\]:]{1,255}$/.test(host) && URL.canParse(url) ? url : ownOrigin()
  }
