import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { actionsFor } from '../details/actions.ts'
import { selectedEvent } from '../details/selected-event.ts'
import { rowId } from './row-id.ts'

const place = signal<{ readonly x: number; readonly y: number } | undefined>(undefined)

const openRowMenu = (x: number, y: number): void => void (place.value = { x, y })

/**
 * Opens the menu at the pointer. Linux and macOS send `contextmenu` while the button is still down, and its release
 * closes any popover that opened in between. So the menu opens after the release.
 */
export function openMenuAtPointer({ clientX, clientY, buttons }: MouseEvent): void {
  const open = () => openRowMenu(clientX, clientY)
  if (buttons === 0) open()
  else addEventListener('pointerup', open, { once: true })
}

/** The menu key goes to whatever has the focus, which is the list and none of its rows. */
export function openMenuAtSelectedRow(event: MouseEvent): void {
  const isOfList = event.target instanceof Element && event.target.matches('[role=grid]')
  const seq = selectedEvent.peek()?.seq
  const row = seq === undefined ? null : document.getElementById(rowId(seq))
  if (!isOfList || !row) return
  event.preventDefault()
  const { left, bottom } = row.getBoundingClientRect()
  openRowMenu(left + 96, bottom)
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** What can be done about the selected event, where the pointer is. The same as its buttons. */
export function RowMenu() {
  const element = useRef<HTMLDivElement>(null)
  const event = selectedEvent.value

  useEffect(() => {
    if (!place.value) return
    element.current!.showPopover()
    element.current!.querySelector('button')?.focus()
  }, [place.value])

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
      style={{ '--x': `${place.value?.x ?? 0}px`, '--y': `${place.value?.y ?? 0}px` }}
      onKeyDown={onKeyDown}
      onToggle={({ newState }) => {
        if (newState === 'closed') place.value = undefined
      }}
    >
      {place.value &&
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
