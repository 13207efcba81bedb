import { plural } from '../../server/contract/format/values.ts'
import { enabledFaults } from '../faults/fault-resource.ts'
import { formatRoute, screens, type Screen } from '../browser/hash-route.ts'
import { isNarrow, isRail } from '../browser/media.ts'
import { missedPaymentCount } from '../data/verdict.ts'
import { reviewCount } from '../review/review-count.ts'
import { route } from '../browser/route.ts'
import { docsUrl, harUrl, reportUrl } from '../data/urls.ts'
import { Icon } from '../components/icon.tsx'
import { MenuButton } from '../components/menu-button.tsx'
import { screenEntries } from './screens.ts'

/** A side bar with names, a rail of icons with names below them, or on a narrow screen a bottom bar. */
export function Navigation() {
  const inMenu = screens.filter((screen) => isNarrow.value && screenEntries[screen].place === 'more')
  const inBar = screens.filter((screen) => !inMenu.includes(screen))
  const hasMore = CAN_ACT && (isNarrow.value || isRail.value)

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
            </>
          }
        >
          {inMenu.map((screen) => (
            <ScreenLink key={screen} screen={screen} />
          ))}
          <DocumentLinks />
        </MenuButton>
      )}
      {CAN_ACT && !hasMore && (
        <div class="last">
          <DocumentLinks />
        </div>
      )}
    </nav>
  )
}

/** The documentation, and the downloads of a run. */
const DocumentLinks = () => (
  <>
    <a href={`${docsUrl}/guides`}>
      <Icon name="documents" />
      Guides
    </a>
    <a href={docsUrl}>
      <Icon name="documents" />
      API documents
    </a>
    <a href={reportUrl} download>
      <Icon name="download" />
      Download report
    </a>
    <a href={harUrl} download>
      <Icon name="download" />
      Download HAR
    </a>
  </>
)

/** How much of a screen awaits the user. */
function waitingOn(screen: Screen): number {
  if (screen === 'payments') return missedPaymentCount.value
  return CAN_ACT && screen === 'review' ? reviewCount.value : 0
}

function ScreenLink({ screen }: { readonly screen: Screen }) {
  const { title, shortTitle = title, icon } = screenEntries[screen]
  const waiting = waitingOn(screen)
  const enabled = CAN_ACT && screen === 'faults' ? enabledFaults.value : 0
  const name = isRail.value || isNarrow.value ? shortTitle : title
  return (
    <a
      href={formatRoute({ screen })}
      title={title}
      {...(route.value.screen === screen ? { 'aria-current': 'page' as const } : {})}
    >
      <Icon name={icon} />
      <span class="name">{name}</span>
      {waiting > 0 && <span class="badge"> {waiting}</span>}
      {enabled > 0 && (
        <span class="badge quiet" title={`${plural(enabled, 'fault')} enabled`}>
          {' '}
          {enabled}
        </span>
      )}
    </a>
  )
}
