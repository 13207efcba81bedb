const everyScreen = ['timeline', 'payments', 'review', 'faults', 'maps', 'account'] as const

export type Screen = (typeof everyScreen)[number]

export const screens: readonly Screen[] = CAN_ACT ? everyScreen : ['timeline', 'payments']

export interface Route {
  readonly screen: Screen
  /** An event's `seq`, or a link's `pay_id`. */
  readonly id: number | undefined
  /** What stands in the filter field. */
  readonly query: string
  /** Which account the account screen shows. */
  readonly account?: string | undefined
  /** Where on the account screen: a section, a behavior or a fixed assumption. */
  readonly point?: string | undefined
}

/** Reads `#/timeline/42?q=kind:api` or `#/account/<id>?point=payId`. What it does not know is the timeline. */
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
  const place = isAccount ? account : id
  const search = Object.entries({ q: query, point: (isAccount && point) || '' })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%3A', ':')}`)
    .join('&')
  return `#/${screen}${place === undefined ? '' : `/${place}`}${search === '' ? '' : `?${search}`}`
}
