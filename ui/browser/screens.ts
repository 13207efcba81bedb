interface Entry {
  readonly title: string
  /** The titles of the tabs. The first tab opens by default. */
  readonly tabs?: Readonly<Record<string, string>>
}

/**
 * The screens in the sequence of the navigation. The names of screens and tabs are part of addresses. The titles are in
 * headings, the navigation, the palette and the title of the page.
 */
const table = {
  overview: { title: 'Overview' },
  timeline: { title: 'Timeline' },
  payments: { title: 'Payments', tabs: { all: 'All payments', review: 'Review' } },
  test: { title: 'Test', tabs: { scenarios: 'Failure scenarios', checks: 'Checks', faults: 'Faults' } },
  connect: {
    title: 'Connect',
    tabs: { accounts: 'Accounts', tunnels: 'Tunnels', maps: 'Maps', 'held-webhooks': 'Held webhooks' },
  },
  sandbox: { title: 'Sandbox' },
} as const satisfies Readonly<Record<string, Entry>>

export type Screen = keyof typeof table

type TabsOf<One extends Entry> = One extends { readonly tabs: infer Tabs } ? keyof Tabs : never
export type Tab = { readonly [One in Screen]: TabsOf<(typeof table)[One]> }[Screen]

export interface Place {
  readonly screen: Screen
  readonly tab?: Tab | undefined
}

/** A report has only screens without actions. */
export const screens: readonly Screen[] = CAN_ACT
  ? (Object.keys(table) as Screen[])
  : ['overview', 'timeline', 'payments']

/** Whether two events can be compared. A report has no comparison. */
export const hasComparison: boolean = CAN_ACT

/** A report opens with its verdict. */
export const startScreen: Screen = CAN_ACT ? 'timeline' : 'overview'

export const screenTitle = (screen: Screen): string => table[screen].title

/** The tabs of a screen, with their titles. */
export const tabsOf = (screen: Screen): readonly (readonly [Tab, title: string])[] => {
  const entry: Entry = table[screen]
  return CAN_ACT ? (Object.entries(entry.tabs ?? {}) as [Tab, string][]) : []
}

export const firstTab = (screen: Screen): Tab | undefined => tabsOf(screen)[0]?.[0]

/** Names in addresses that lead to another place: names of earlier versions, and tabs without their screen. */
const moved: Readonly<Record<string, Place>> = {
  ...Object.fromEntries(screens.flatMap((screen) => tabsOf(screen).map(([tab]) => [tab, { screen, tab }]))),
  account: { screen: 'connect', tab: 'accounts' },
  behaviors: { screen: 'sandbox' },
}

/** All names that lead to a place. */
export const placeNames: readonly string[] = [...screens, ...Object.keys(moved)]

/** The place for a name in an address. `undefined` for an unknown name. */
export function findPlace(name: string): Place | undefined {
  const screen = screens.find((known) => known === name)
  if (screen) return { screen }
  return CAN_ACT && Object.hasOwn(moved, name) ? moved[name] : undefined
}

/** The title of a tab, or of the screen if no tab is named. */
export const placeTitle = ({ screen, tab }: Place): string =>
  tabsOf(screen).find(([name]) => name === tab)?.[1] ?? screenTitle(screen)
