import { formatRoute } from '../browser/hash-route.ts'
import { route } from '../browser/route.ts'
import { screenTitle, tabsOf } from '../browser/screens.ts'
import { Badges } from './badges.tsx'

/** The title of a screen with its tabs. */
export function ScreenHead() {
  const { screen, tab: current } = route.value
  const tabs = tabsOf(screen)
  if (tabs.length === 0) return null
  return (
    <header class="screen-head">
      <h2>{screenTitle(screen)}</h2>
      <nav aria-label={`Tabs of ${screenTitle(screen)}`}>
        {tabs.map(([tab, title]) => (
          <a
            key={tab}
            href={formatRoute({ screen, tab })}
            {...(tab === current ? { 'aria-current': 'page' as const } : {})}
          >
            {title}
            <Badges screen={screen} tab={tab} />
          </a>
        ))}
      </nav>
    </header>
  )
}
