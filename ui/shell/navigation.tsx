import { formatRoute, screens, type Screen } from '../hash-route.ts'
import { isNarrow } from '../media.ts'
import { reviewList } from '../review/review-list.ts'
import { route } from '../route.ts'
import { docsUrl } from '../urls.ts'
import { DownloadLinks } from './download-links.tsx'
import { screenEntries } from './screens.ts'

const MORE_ID = 'more-screens'

/** A side bar, or on a narrow screen a bottom bar with a More menu. */
export function Navigation() {
  const inMenu = screens.filter((screen) => isNarrow.value && screenEntries[screen].place === 'more')
  const inBar = screens.filter((screen) => !inMenu.includes(screen))
  // More comes before the last tab, the account.
  const last = inMenu.length === 0 ? inBar.length : inBar.length - 1

  return (
    <nav aria-label="Screens">
      {inBar.slice(0, last).map((screen) => (
        <ScreenLink key={screen} screen={screen} />
      ))}
      {inMenu.length > 0 && <More inMenu={inMenu} />}
      {inBar.slice(last).map((screen) => (
        <ScreenLink key={screen} screen={screen} />
      ))}
      {CAN_ACT && (
        <div class="wide last">
          <a href={`${docsUrl}/guides`}>Guides</a>
          <a href={docsUrl}>API documents</a>
          <DownloadLinks />
        </div>
      )}
    </nav>
  )
}

function More({ inMenu }: { readonly inMenu: readonly Screen[] }) {
  return (
    <>
      <button
        type="button"
        class="tab"
        popovertarget={MORE_ID}
        data-current={inMenu.includes(route.value.screen)}
      >
        More
      </button>
      <div
        id={MORE_ID}
        class="more"
        popover="auto"
        onClick={({ currentTarget }) => currentTarget.hidePopover()}
      >
        {inMenu.map((screen) => (
          <ScreenLink key={screen} screen={screen} />
        ))}
        <a href={`${docsUrl}/guides`}>Guides</a>
        <a href={docsUrl}>API documents</a>
        <DownloadLinks />
      </div>
    </>
  )
}

function ScreenLink({ screen }: { readonly screen: Screen }) {
  const waiting = CAN_ACT && screen === 'review' ? reviewList.value.length : 0
  return (
    <a
      href={formatRoute({ screen })}
      {...(route.value.screen === screen ? { 'aria-current': 'page' as const } : {})}
    >
      {screenEntries[screen].title}
      {waiting > 0 && <span class="badge"> {waiting}</span>}
    </a>
  )
}
