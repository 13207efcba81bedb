import { findPlace, firstTab, startScreen, tabsOf, type Place } from './screens.ts'

export interface Route extends Place {
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
  /** The account that the tab Accounts shows, or whose behaviors the screen Sandbox shows. */
  readonly account?: string | undefined
  /** A section of one of these two, or a behavior or a fixed assumption. */
  readonly point?: string | undefined
}

const RANGE = /^\d{4}-[\d:.TZ-]+\.\.\d{4}-[\d:.TZ-]+$/

/** The sections of an account. Older addresses also name the sections of the screen Sandbox there. */
const accountPoints = new Set(['keys', 'settings', 'callback-urls', 'webhook-urls', 'billing', 'invoices'])

const hasAccount = ({ screen, tab }: Place): boolean => screen === 'sandbox' || tab === 'accounts'

/**
 * Parses `#/timeline/42?q=kind:api`, `#/connect/tunnels` or `#/sandbox/<id>?point=payId`. An unknown screen leads to the first
 * one.
 */
export function parseRoute(hash: string): Route {
  const [path, text] = hash.split(/\?(.*)/s)
  const [, name = '', ...parts] = path!.split('/')
  const search = new URLSearchParams(text)
  const point = search.get('point') ?? ''
  const found = findPlace(name)
  const isOlder = found?.tab === 'accounts' && point !== '' && !accountPoints.has(point)
  const { screen, tab: ownTab }: Place = isOlder ? { screen: 'sandbox' } : (found ?? { screen: startScreen })
  const named = tabsOf(screen).find(([tab]) => tab === parts[0])?.[0]
  const tab = named ?? ownTab ?? firstTab(screen)
  const id = (named === undefined ? parts[0] : parts[1]) ?? ''
  const ofAccount = hasAccount({ screen, tab })
  const isList = screen === 'timeline' || (screen === 'payments' && tab === firstTab(screen))
  return {
    screen,
    tab,
    id: found && isList && /^\d{1,15}$/.test(id) ? Number(id) : undefined,
    query: search.get('q') ?? '',
    other:
      CAN_ACT && screen === 'timeline' && /^\d{1,15}$/.test(search.get('with') ?? '')
        ? Number(search.get('with'))
        : undefined,
    range: (screen === 'timeline' && RANGE.exec(search.get('range') ?? '')?.[0]) || undefined,
    sort: (isList && screen === 'payments' && /^-?[a-z]+$/.exec(search.get('sort') ?? '')?.[0]) || undefined,
    account: ofAccount && /^[\w-]{1,64}$/.test(id) ? id : undefined,
    point: ofAccount && point !== '' ? point : undefined,
  }
}

/** The reverse of `parseRoute`. The first tab of a screen is named only before an account. */
export function formatRoute({
  screen,
  tab = firstTab(screen),
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
  const ofAccount = hasAccount({ screen, tab })
  const shownId = ofAccount ? account : id
  const shownTab = tab === firstTab(screen) && !(ofAccount && account !== undefined) ? undefined : tab
  const search = Object.entries({
    q: query,
    range: (screen === 'timeline' && range) || '',
    sort: (screen === 'payments' && sort) || '',
    with: screen === 'timeline' && other !== undefined ? String(other) : '',
    point: (ofAccount && point) || '',
  })
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll('%3A', ':')}`)
    .join('&')
  const path = [screen, shownTab, shownId].filter((part) => part !== undefined).join('/')
  return `#/${path}${search === '' ? '' : `?${search}`}`
}
