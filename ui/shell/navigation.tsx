import { formatRoute, screens, type Screen } from '../hash-route.ts'
import { route } from '../route.ts'

const titles: Readonly<Record<Screen, string>> = {
  timeline: 'Timeline',
  payments: 'Payments',
  faults: 'Faults',
  maps: 'Maps and tunnels',
  account: 'Account',
}

/** At the side, or at the bottom of a narrow screen. */
export function Navigation() {
  return (
    <nav aria-label="Screens">
      {screens.map((screen) => (
        <a
          key={screen}
          href={formatRoute({ screen })}
          {...(route.value.screen === screen ? { 'aria-current': 'page' } : {})}
        >
          {titles[screen]}
        </a>
      ))}
    </nav>
  )
}
