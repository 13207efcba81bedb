import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { actionsFor } from '../details/actions.ts'
import { selectedEvent } from '../details/selected-event.ts'
import { rowId } from './row-id.ts'

const position = signal<{ readonly x: number; readonly y: number } | undefined>(undefined)

const openRowMenu = (x: number, y: number): void => void (position.value = { x, y })

/**
 * Opens the menu at the pointer. On Linux and macOS, `contextmenu` comes while the button is still pressed, and releasing the
 * button closes a popover that has opened in between. So the menu opens after the release.
 */
export function openMenuAtPointer({ clientX, clientY, buttons }: MouseEvent): void {
  const open = () => openRowMenu(clientX, clientY)
  if (buttons === 0) open()
  else addEventListener('pointerup', open, { once: true })
}

/** Opens the menu below the selected row. The target of the menu key is the list, because rows cannot have the focus. */
export function openMenuAtSelectedRow(event: MouseEvent): void {
  const isOnList = event.target instanceof Element && event.target.matches('[role=grid]')
  const seq = selectedEvent.peek()?.seq
  const row = seq === undefined ? null : document.getElementById(rowId(seq))
  if (!isOnList || !row) return
  event.preventDefault()
  const { left, bottom } = row.getBoundingClientRect()
  openRowMenu(left + 96, bottom)
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** The context menu of a row, with the actions of the selected event. */
export function RowMenu() {
  const element = useRef<HTMLDivElement>(null)
  const event = selectedEvent.value

  useEffect(() => {
    if (!position.value) return
    const menu = element.current!
    menu.showPopover()
    menu.querySelector('button')?.focus()
  }, [position.value])

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
      style={{ '--x': `${position.value?.x ?? 0}px`, '--y': `${position.value?.y ?? 0}px` }}
      onKeyDown={onKeyDown}
      onToggle={({ newState }) => {
        if (newState === 'closed') position.value = undefined
      }}
    >
      {position.value &&
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
