import type { EventView } from '../../server/contract/views.ts'
import { Icon } from '../components/icon.tsx'
import { MenuButton } from '../components/menu-button.tsx'
import { actionsFor, copyAsCurl, type Action } from './actions.ts'
import { failureOf } from './failure.ts'
import { selectedExchange } from './selected-event.ts'
import { CopyAsCode } from './copy-as-code.live.tsx'

/**
 * The bar of an event: its main action, a menu to copy the event, and a menu with all other actions. Leaves out the main action
 * if the failure card has it.
 */
export function DetailActions({ event }: { readonly event: EventView }) {
  const actions = actionsFor(event)
  const hasButton = (failureOf(event)?.tone ?? 'plain') !== 'plain'
  const main = hasButton ? undefined : actions.find(({ isMain }) => isMain)
  const others = actions.filter(({ isMain, label }) => !isMain && label !== 'Copy as cURL')
  return (
    <>
      {main && (
        <button type="button" aria-keyshortcuts={main.key} onClick={() => void main.run()}>
          {main.label}
          {main.key !== undefined && <kbd aria-hidden="true">{main.key}</kbd>}
        </button>
      )}
      {selectedExchange.value && (
        <MenuButton
          button={
            <>
              Copy as
              <Icon name="down" size={14} />
            </>
          }
        >
          <button type="button" onClick={copyAsCurl}>
            cURL
            <kbd aria-hidden="true">c</kbd>
          </button>
          <CopyAsCode />
        </MenuButton>
      )}
      <MenuButton label="More actions" button={<Icon name="more" />}>
        {others.map((action) => (
          <ActionItem key={action.label} action={action} />
        ))}
      </MenuButton>
    </>
  )
}

const ActionItem = ({ action: { label, key, run } }: { readonly action: Action }) => (
  <button type="button" aria-keyshortcuts={key} onClick={() => void run()}>
    {label}
    {key !== undefined && <kbd aria-hidden="true">{key}</kbd>}
  </button>
)
