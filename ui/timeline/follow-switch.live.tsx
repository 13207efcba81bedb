import type { ReadonlySignal } from '@preact/signals'
import { formatCount } from '../../server/contract/format/values.ts'
import { indexAfter } from '../data/log.ts'
import { isFollowing, jumpToNewest, view } from '../search/view.ts'

interface Props {
  /** The newest `seq` that the user has seen. */
  readonly seenTo: ReadonlySignal<number>
}

/** Whether the list scrolls to each new event. If not, tells how many events have arrived below. */
export function FollowSwitch({ seenTo }: Props) {
  const { rows } = view.value
  const isOn = isFollowing.value
  const newCount = isOn ? 0 : rows.length - indexAfter(rows, seenTo.value)
  return (
    <button
      type="button"
      class="follow"
      role="switch"
      aria-checked={isOn}
      aria-keyshortcuts="g"
      onClick={() => (isOn ? (isFollowing.value = false) : jumpToNewest())}
    >
      <span>
        Follow<span class="above-phone"> newest</span>
      </span>
      {newCount > 0 && <b>{formatCount(newCount)} new</b>}
      <kbd aria-hidden="true">g</kbd>
    </button>
  )
}
