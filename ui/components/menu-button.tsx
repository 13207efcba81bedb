import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

interface Props {
  /** The accessible name of the button, if its content does not name it. */
  readonly label?: string
  readonly class?: string
  /** The content of the button. */
  readonly button: ComponentChildren
  /** The items: buttons and links. Each closes the menu. */
  readonly children: ComponentChildren
}

/** A button that opens a list of actions below it. */
export function MenuButton({ label, class: className = '', button, children }: Props) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  return (
    <>
      <button
        type="button"
        class={className}
        aria-label={label}
        title={label}
        popovertarget={id}
        onClick={({ currentTarget }) => placeBelow(menu.current!, currentTarget)}
      >
        {button}
      </button>
      <div
        ref={menu}
        id={id}
        class="menu"
        popover="auto"
        onClick={({ target, currentTarget }) => {
          if (target instanceof Element && target.closest('button, a')) currentTarget.hidePopover()
        }}
      >
        {children}
      </div>
    </>
  )
}

/** Places a menu below a button, or above it in the lower half of the screen, at the nearer side. */
export function placeBelow(menu: HTMLElement, button: Element): void {
  const { left, right, top, bottom } = button.getBoundingClientRect()
  const isAbove = top > innerHeight / 2
  const isRight = left + right > innerWidth
  menu.style.setProperty('--x', isRight ? `calc(${right}px - 100%)` : `${left}px`)
  menu.style.setProperty('--y', isAbove ? `calc(${top - 4}px - 100%)` : `${bottom + 4}px`)
}
