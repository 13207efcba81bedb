import { formatRoute, screens, type Screen } from '../hash-route.ts'
import { isNarrow } from '../media.ts'
import { reviewList } from '../review/review-list.ts'
import { route } from '../route.ts'
import { docsUrl } from '../urls.ts'
import { DownloadLinks } from './download-links.tsx'
import { screenEntries } from './screens.ts'

const MORE_ID = 'more-screens'

/** At the side, or at the bottom of a narrow screen, where what does not fit is behind More. */
export function Navigation() {
  const behind = screens.filter((screen) => isNarrow.value && screenEntries[screen].place === 'more')
  const inBar = screens.filter((screen) => !behind.includes(screen))
  // The last tab is the account's, and More stands before it.
  const last = behind.length === 0 ? inBar.length : inBar.length - 1

  return (
    <nav aria-label="Screens">
      {inBar.slice(0, last).map((screen) => (
        <ScreenLink key={screen} screen={screen} />
      ))}
      {behind.length > 0 && <More behind={behind} />}
      {inBar.slice(last).map((screen) => (
        <ScreenLink key={screen} screen={screen} />
      ))}
      {CAN_ACT && (
        <div class="wide last">
          <a href={docsUrl}>API documents</a>
          <DownloadLinks />
        </div>
      )}
    </nav>
  )
}

function More({ behind }: { readonly behind: readonly Screen[] }) {
  return (
    <>
      <button
        type="button"
        class="tab"
        popovertarget={MORE_ID}
        data-current={behind.includes(route.value.screen)}
      >
        More
      </button>
      <div
        id={MORE_ID}
        class="more"
        popover="auto"
        onClick={({ currentTarget }) => currentTarget.hidePopover()}
      >
        {behind.map((screen) => (
          <ScreenLink key={screen} screen={screen} />
        ))}
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
