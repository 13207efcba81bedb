import { formatRoute } from '../browser/hash-route.ts'
import { isNarrow, isRail } from '../browser/media.ts'
import { route } from '../browser/route.ts'
import { screens, screenTitle, type Screen } from '../browser/screens.ts'
import { Icon } from '../components/icon.tsx'
import { MenuButton } from '../components/menu-button.tsx'
import { Badges, hasProblem } from './badges.tsx'
import { DocumentLinks, LastLinks } from './document-links.live.tsx'

/** How many screens are in the bar of a narrow screen. The others are in its menu. */
const MAX_IN_BAR = 4

/** The navigation: a side bar with names, a rail of icons with names below them, or a bottom bar on a narrow screen. */
export function Navigation() {
  const inBar = isNarrow.value ? screens.slice(0, MAX_IN_BAR) : screens
  const inMenu = screens.slice(inBar.length)
  const hasMore = screens.length > MAX_IN_BAR && (isNarrow.value || isRail.value)

  return (
    <nav class="screens" aria-label="Screens">
      {inBar.map((screen) => (
        <ScreenLink key={screen} screen={screen} />
      ))}
      {hasMore && (
        <MenuButton
          class={`tab ${inMenu.includes(route.value.screen) ? 'current' : ''}`}
          button={
            <>
              <Icon name="more" />
              <span class="name">More</span>
              {inMenu.some(hasProblem) && <span class="badge">!</span>}
            </>
          }
        >
          {inMenu.map((screen) => (
            <ScreenLink key={screen} screen={screen} />
          ))}
          <DocumentLinks />
        </MenuButton>
      )}
      {!hasMore && <LastLinks />}
    </nav>
  )
}

function ScreenLink({ screen }: { readonly screen: Screen }) {
  return (
    <a
      href={formatRoute({ screen })}
      {...(route.value.screen === screen ? { 'aria-current': 'page' as const } : {})}
    >
      <Icon name={screen} />
      <span class="name">{screenTitle(screen)}</span>
      <Badges screen={screen} />
    </a>
  )
}
