import {
  findPlace,
  firstTab,
  hasComparison,
  startScreen,
  tabsOf,
  type Place,
  type Screen,
} from './screens.ts'

export interface Route extends Place {
  /** The `seq` of an event, or the `pay_id` of a link. */
  readonly id: number | undefined
  /** The text of the filter field. */
  readonly query: string
  /** The time range of the timeline: two ISO timestamps with `..` between them. */
  readonly range?: string | undefined
  /** How payments are sorted: the name of a column in lower case, with `-` before it if descending. */
  readonly sort?: string | undefined
  /** The `seq` of the second event in a comparison. */
  readonly other?: number | undefined
  /** The account that the tab Accounts shows, or whose behaviors the screen Sandbox shows. */
  readonly account?: string | undefined
  /** The page scrolls to this section, behavior or fixed assumption. */
  readonly point?: string | undefined
}

const RANGE = /^\d{4}-[\d:.TZ-]+\.\.\d{4}-[\d:.TZ-]+$/

/** The sections of an account. Includes sections that are on the screen Sandbox now, because older addresses name them here. */
const accountPoints = new Set(['keys', 'settings', 'callback-urls', 'webhook-urls', 'billing', 'invoices'])

const hasAccount = ({ screen, tab }: Place): boolean => screen === 'sandbox' || tab === 'accounts'

const hasPoint = (place: Place): boolean => hasAccount(place) || place.screen === 'overview'

/** Whether a place lists events or payments, so that its address may select one. */
const isList = ({ screen, tab }: Place): boolean =>
  screen === 'timeline' || (screen === 'payments' && tab === firstTab(screen))

const isSequence = (text: string): boolean => /^\d{1,15}$/.test(text)

/**
 * Parses `#/timeline/42?q=kind:api`, `#/connect/tunnels` or `#/sandbox/<id>?point=payId`. An unknown screen leads to the first
 * screen.
 */
export function parseRoute(hash: string): Route {
  const [path, text] = hash.split(/\?(.*)/s)
  const [, name = '', ...parts] = path!.split('/')
  const search = new URLSearchParams(text)
  const point = search.get('point') ?? ''
  const place = findPlace(name)
  const isOlder = place?.tab === 'accounts' && point !== '' && !accountPoints.has(point)
  const { screen, tab: ownTab }: Place = isOlder ? { screen: 'sandbox' } : (place ?? { screen: startScreen })
  const named = tabsOf(screen).find(([tab]) => tab === parts[0])?.[0]
  const tab = named ?? ownTab ?? firstTab(screen)
  const id = (named === undefined ? parts[0] : parts[1]) ?? ''
  const ofAccount = hasAccount({ screen, tab })
  const hasId = named !== undefined || ownTab !== undefined || screen === 'sandbox'
  const ofList = isList({ screen, tab })
  const hasSequence = place !== undefined && ofList && isSequence(id)
  return {
    screen,
    tab,
    id: hasSequence ? Number(id) : undefined,
    query: search.get('q') ?? '',
    other:
      hasComparison && hasSequence && screen === 'timeline' && isSequence(search.get('with') ?? '')
        ? Number(search.get('with'))
        : undefined,
    range: (screen === 'timeline' && RANGE.exec(search.get('range') ?? '')?.[0]) || undefined,
    sort: (ofList && screen === 'payments' && /^-?[a-z]+$/.exec(search.get('sort') ?? '')?.[0]) || undefined,
    account: ofAccount && hasId && /^[\w-]{1,64}$/.test(id) ? id : undefined,
    point: hasPoint({ screen, tab }) && point !== '' ? point : undefined,
  }
}

/** A part of an address that does not exist. */
export interface UnknownPart {
  readonly name: string
  /** The screen of the unknown tab. `undefined` if the screen itself is unknown. */
  readonly screen?: Screen
}

/** The wrong part of an address: the name of the screen, or the tab, event or payment. */
export function findUnknownPart(hash: string): UnknownPart | undefined {
  const [, name = '', part = ''] = hash.split('?', 1)[0]!.split('/')
  const place = findPlace(name)
  if (!place) return name === '' ? undefined : { name }
  const { screen, tab } = place
  const isUsed =
    part === '' ||
    tabsOf(screen).some(([known]) => known === part) ||
    hasAccount({ screen, tab }) ||
    (isList({ screen, tab: tab ?? firstTab(screen) }) && isSequence(part))
  return isUsed ? undefined : { name: part, screen }
}

/** The reverse of `parseRoute`. Leaves out the first tab of a screen, unless an account follows. */
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
    point: (hasPoint({ screen, tab }) && point) || '',
  })
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll('%3A', ':')}`)
    .join('&')
  const path = [screen, shownTab, shownId].filter((part) => part !== undefined).join('/')
  return `#/${path}${search === '' ? '' : `?${search}`}`
}
