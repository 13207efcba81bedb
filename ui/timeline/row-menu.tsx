import { useEffect, useRef } from 'preact/hooks'
import { actionsFor } from '../details/actions.ts'
import { selectedEvent } from '../details/selected-event.ts'
import { menuPosition } from './open-row-menu.ts'

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** The context menu of a row, with the actions of the selected event. */
export function RowMenu() {
  const element = useRef<HTMLDivElement>(null)
  const event = selectedEvent.value

  useEffect(() => {
    if (!menuPosition.value) return
    const menu = element.current!
    menu.showPopover()
    menu.querySelector('button')?.focus()
  }, [menuPosition.value])

  const onKeyDown = (pressed: KeyboardEvent) => {
    const step = STEPS[pressed.key]
    if (step === undefined) return
    pressed.preventDefault()
    const items = [...element.current!.querySelectorAll('button')]
    items.at((items.indexOf(document.activeElement as HTMLButtonElement) + step) % items.length)?.focus()
  }

  return (
    <div
      ref={element}
      class="menu"
      popover="auto"
      role="menu"
      aria-label="Actions"
      style={{ '--x': `${menuPosition.value?.x ?? 0}px`, '--y': `${menuPosition.value?.y ?? 0}px` }}
      onKeyDown={onKeyDown}
      onToggle={({ newState }) => {
        if (newState === 'closed') menuPosition.value = undefined
      }}
    >
      {menuPosition.value &&
        event &&
        actionsFor(event).map(({ label, key, run }) => (
          <button
            key={label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            onClick={() => {
              element.current!.hidePopover()
              void run()
            }}
          >
            {label}
            {key !== undefined && <kbd aria-hidden="true">{key}</kbd>}
          </button>
        ))}
    </div>
  )
}
