import { formatRoute, screens, type Screen } from '../hash-route.ts'
import { route } from '../route.ts'
import { reportUrl } from '../urls.ts'

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
      {CAN_ACT && (
        <a class="wide last" href={reportUrl} download>
          Download report
        </a>
      )}
    </nav>
  )
}
