/** A request. Users' projects may compile without the types of Node and of browsers, so these types use neither. */
export interface FetchOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal?: object
}

export interface FetchResponse {
  readonly ok: boolean
  readonly status: number
  readonly statusText: string
  /** Names are in lower case. */
  readonly headers: { get(name: string): string | null }
  json(): Promise<unknown>
  text(): Promise<string>
  arrayBuffer(): Promise<ArrayBuffer>
}

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, options?: FetchOptions) => Promise<FetchResponse>
