import type { EventView } from '../../server/contract/views.ts'
import type { HeldEvent } from '../data/event-index.ts'
import { actionsFor } from './actions.ts'
import { MapHost } from './map-host.tsx'

interface Props {
  readonly event: EventView
  readonly held: HeldEvent | undefined
}

/** The buttons of a failure: the best action, and other useful ones. */
export const FailureActions = ({ event, held }: Props) =>
  held ? <MapHost event={held} /> : <MainActions event={event} />

function MainActions({ event }: Pick<Props, 'event'>) {
  const actions = actionsFor(event)
  const main = actions.find(({ isMain }) => isMain)
  const second = actions.find(({ isSecond }) => isSecond)
  if (!main) return null
  return (
    <div class="failure-actions">
      <button type="button" class="primary" aria-keyshortcuts={main.key} onClick={() => void main.run()}>
        {main.label}
        {main.key !== undefined && <kbd aria-hidden="true">{main.key}</kbd>}
      </button>
      {second && (
        <button type="button" class="link" aria-keyshortcuts={second.key} onClick={() => void second.run()}>
          {second.label}
        </button>
      )}
    </div>
  )
}
