import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { storedNumber } from '../browser/local-storage.ts'

interface Props {
  /** Whether the details cover the list on a narrow screen. */
  readonly isOpen: boolean
  readonly list: ComponentChildren
  readonly details: ComponentChildren
}

const MIN_SHARE = 25
const MAX_SHARE = 65

/** The width of the details, in percent. */
const share = storedNumber('details-width', 38)
const resize = (percent: number) => (share.value = Math.max(MIN_SHARE, Math.min(MAX_SHARE, percent)))

/** A list and its details. The divider between them can be moved with the pointer and the arrow keys. */
export function Panes({ isOpen, list, details }: Props) {
  const element = useRef<HTMLDivElement>(null)

  const drag = (event: PointerEvent) => {
    if (event.buttons === 0) return
    const { right, width } = element.current!.getBoundingClientRect()
    resize(((right - event.clientX) / width) * 100)
  }
  const move = (event: KeyboardEvent) => {
    const step = { ArrowLeft: 2, ArrowRight: -2 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    resize(share.value + step)
  }

  return (
    <div ref={element} class="panes" data-open={isOpen} style={{ '--details': `${share.value}%` }}>
      {list}
      <div
        class="divider"
        role="separator"
        tabIndex={0}
        aria-label="Width of the details"
        aria-orientation="vertical"
        aria-valuemin={MIN_SHARE}
        aria-valuemax={MAX_SHARE}
        aria-valuenow={Math.round(share.value)}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onKeyDown={move}
      />
      {details}
    </div>
  )
}
