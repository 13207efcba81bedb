const allScreens = [
  'overview',
  'timeline',
  'payments',
  'review',
  'faults',
  'maps',
  'account',
  'sandbox',
] as const

export type Screen = (typeof allScreens)[number]

export const screens: readonly Screen[] = CAN_ACT ? allScreens : ['overview', 'timeline', 'payments']

/** A report opens with its verdict. */
export const startScreen: Screen = CAN_ACT ? 'timeline' : 'overview'

export interface Route {
  readonly screen: Screen
  /** The `seq` of an event, or the `pay_id` of a link. */
  readonly id: number | undefined
  /** The text of the filter field. */
  readonly query: string
  /** The part of the time that the timeline shows: two ISO timestamps with `..` between them. */
  readonly range?: string | undefined
  /** The order of the payments: the name of a column in lower case, after `-` for a descending order. */
  readonly sort?: string | undefined
  /** The `seq` of the event that the timeline compares with the first one. */
  readonly other?: number | undefined
  /** The account that the account screen shows, or whose behaviors the sandbox screen shows. */
  readonly account?: string | undefined
  /** A section of one of these two screens, or a behavior or a fixed assumption. */
  readonly point?: string | undefined
}

const RANGE = /^\d{4}-[\d:.TZ-]+\.\.\d{4}-[\d:.TZ-]+$/

/** The sections of the account screen. Older addresses also name the sections of the sandbox screen there. */
const accountPoints = new Set(['keys', 'settings', 'callback-urls', 'webhook-urls', 'billing', 'invoices'])

const hasAccount = (screen: Screen): boolean => CAN_ACT && (screen === 'account' || screen === 'sandbox')

/** Parses `#/timeline/42?q=kind:api` or `#/sandbox/<id>?point=payId`. Unknown screens lead to the timeline. */
export function parseRoute(hash: string): Route {
  const [path, text] = hash.split(/\?(.*)/s)
  const [, name, id = ''] = path!.split('/')
  const search = new URLSearchParams(text)
  const point = search.get('point') ?? ''
  const known = screens.find((screen) => screen === name)
  const named = known ?? startScreen
  const screen =
    CAN_ACT && named === 'account' && point !== '' && !accountPoints.has(point) ? 'sandbox' : named
  return {
    screen,
    id: known && !hasAccount(screen) && /^\d{1,15}$/.test(id) ? Number(id) : undefined,
    query: search.get('q') ?? '',
    other:
      CAN_ACT && screen === 'timeline' && /^\d{1,15}$/.test(search.get('with') ?? '')
        ? Number(search.get('with'))
        : undefined,
    range: (screen === 'timeline' && RANGE.exec(search.get('range') ?? '')?.[0]) || undefined,
    sort: (screen === 'payments' && /^-?[a-z]+$/.exec(search.get('sort') ?? '')?.[0]) || undefined,
    account: hasAccount(screen) && /^[\w-]{1,64}$/.test(id) ? id : undefined,
    point: hasAccount(screen) && point !== '' ? point : undefined,
  }
}

/** The reverse of `parseRoute`. Only two screens have an account and a point. */
export function formatRoute({
  screen,
  id,
  query = '',
  range,
  sort,
  other,
  account,
  point,
}: {
  readonly [Part in keyof Route]?: Route[Part] | undefined
} & Pick<Route, 'screen'>): string {
  const shownId = hasAccount(screen) ? account : id
  const search = Object.entries({
    q: query,
    range: (screen === 'timeline' && range) || '',
    sort: (screen === 'payments' && sort) || '',
    with: screen === 'timeline' && other !== undefined ? String(other) : '',
    point: (hasAccount(screen) && point) || '',
  })
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll('%3A', ':')}`)
    .join('&')
  return `#/${screen}${shownId === undefined ? '' : `/${shownId}`}${search === '' ? '' : `?${search}`}`
}
