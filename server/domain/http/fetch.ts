/**
 * A request. The types in this file use neither Node's types nor those of browsers, because users' projects may compile without
 * them.
 */
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
