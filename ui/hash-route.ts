const everyScreen = ['timeline', 'payments', 'review', 'faults', 'maps', 'account'] as const

export type Screen = (typeof everyScreen)[number]

export const screens: readonly Screen[] = CAN_ACT ? everyScreen : ['timeline', 'payments']

export interface Route {
  readonly screen: Screen
  /** An event's `seq`, or a link's `pay_id`. */
  readonly id: number | undefined
  /** What stands in the filter field. */
  readonly query: string
}

/** Reads `#/timeline/42?q=kind:api`. What it does not know is the timeline. */
export function parseRoute(hash: string): Route {
  const [path, search] = hash.split(/\?(.*)/s)
  const [, name, id] = path!.split('/')
  return {
    screen: screens.find((screen) => screen === name) ?? 'timeline',
    id: /^\d{1,15}$/.test(id ?? '') ? Number(id) : undefined,
    query: new URLSearchParams(search).get('q') ?? '',
  }
}

export function formatRoute({
  screen,
  id,
  query = '',
}: {
  readonly [Part in keyof Route]?: Route[Part] | undefined
} & Pick<Route, 'screen'>): string {
  const search = query === '' ? '' : `?q=${encodeURIComponent(query).replaceAll('%3A', ':')}`
  return `#/${screen}${id === undefined ? '' : `/${id}`}${search}`
}
