const allScreens = ['timeline', 'payments', 'review', 'faults', 'maps', 'account'] as const

export type Screen = (typeof allScreens)[number]

export const screens: readonly Screen[] = CAN_ACT ? allScreens : ['timeline', 'payments']

export interface Route {
  readonly screen: Screen
  /** The `seq` of an event, or the `pay_id` of a link. */
  readonly id: number | undefined
  /** The text of the filter field. */
  readonly query: string
  /** The id of the account that the account screen shows. */
  readonly account?: string | undefined
  /** A section, a behavior or a fixed assumption on the account screen. */
  readonly point?: string | undefined
}

/** Parses `#/timeline/42?q=kind:api` or `#/account/<id>?point=payId`. Unknown screens lead to the timeline. */
export function parseRoute(hash: string): Route {
  const [path, text] = hash.split(/\?(.*)/s)
  const [, name, id = ''] = path!.split('/')
  const screen = screens.find((known) => known === name) ?? 'timeline'
  const search = new URLSearchParams(text)
  const isAccount = screen === 'account'
  return {
    screen,
    id: !isAccount && /^\d{1,15}$/.test(id) ? Number(id) : undefined,
    query: search.get('q') ?? '',
    account: isAccount && /^[\w-]{1,64}$/.test(id) ? id : undefined,
    point: (isAccount && search.get('point')) || undefined,
  }
}

/** The reverse of `parseRoute`. Account and point are for the account screen only. */
export function formatRoute({
  screen,
  id,
  query = '',
  account,
  point,
}: {
  readonly [Part in keyof Route]?: Route[Part] | undefined
} & Pick<Route, 'screen'>): string {
  const isAccount = screen === 'account'
  const shownId = isAccount ? account : id
  const search = Object.entries({ q: query, point: (isAccount && point) || '' })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%3A', ':')}`)
    .join('&')
  return `#/${screen}${shownId === undefined ? '' : `/${shownId}`}${search === '' ? '' : `?${search}`}`
}
