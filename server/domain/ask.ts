/** What was answered. */
export interface Answered {
  readonly status: number
  /** Where it leads on to. Nobody follows. */
  readonly location: string | null
  readonly text: string
}

/** Asks for something over HTTP. Redirects are not followed. */
export type Ask = (
  url: string,
  request: {
    readonly signal: AbortSignal
    readonly method?: string
    readonly body?: string
    readonly headers?: Record<string, string>
  },
) => Promise<Answered>
