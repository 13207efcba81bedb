import { signal } from '@preact/signals'
import { selectedEvent } from '../details/selected-event.ts'
import { rowId } from './row-id.ts'

/** Where the context menu is open. */
export const menuPosition = signal<{ readonly x: number; readonly y: number } | undefined>(undefined)

const openRowMenu = (x: number, y: number): void => void (menuPosition.value = { x, y })

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
