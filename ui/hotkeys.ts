import { runActionByKey } from './details/actions.ts'
import { openNewLink } from './new-link/dialog-state.ts'
import { selectPayment, stepPayment } from './payments/payment-list.ts'
import { openHelp } from './shell/open-help.ts'
import type { Screen } from './hash-route.ts'
import { decide, stepItem } from './review/review-list.ts'
import { route } from './route.ts'
import { openSelected } from './timeline/open-selected.ts'
import { jumpToNewest, select, step, togglePause } from './timeline/view.ts'

export interface Hotkey {
  readonly key: string
  readonly does: string
  readonly run: () => unknown
}

const focusFilter = () => document.querySelector<HTMLInputElement>('#filter')?.focus()
const focusDetails = () => document.getElementById('details')?.focus()

const everywhere: readonly Hotkey[] = [{ key: '?', does: 'Show this help', run: openHelp }]

/** Every shortcut, by screen. The help dialog is made from it. */
export const hotkeys: Readonly<Record<Screen, readonly Hotkey[]>> = {
  timeline: [
    { key: 'j', does: 'Next event', run: () => step(1) },
    { key: 'k', does: 'Previous event', run: () => step(-1) },
    { key: 'Enter', does: 'Read the selected event', run: openSelected },
    { key: 'Escape', does: 'Close the event', run: () => select(undefined) },
    { key: '/', does: 'Filter', run: focusFilter },
    ...(CAN_ACT
      ? [
          { key: 'r', does: 'Replay the selected webhook', run: () => runActionByKey('r') },
          { key: 'e', does: 'Replay it with changes', run: () => runActionByKey('e') },
        ]
      : []),
    { key: 'c', does: 'Copy the selected request as cURL', run: () => runActionByKey('c') },
    { key: 'l', does: 'Copy a link to the selected event', run: () => runActionByKey('l') },
    { key: 'g', does: 'Jump to the newest event', run: jumpToNewest },
    ...(CAN_ACT ? [{ key: 'p', does: 'Pause or resume the view', run: togglePause }] : []),
    ...everywhere,
  ],
  payments: [
    { key: 'j', does: 'Next payment', run: () => stepPayment(1) },
    { key: 'k', does: 'Previous payment', run: () => stepPayment(-1) },
    { key: 'Enter', does: 'Read the selected payment', run: focusDetails },
    { key: 'Escape', does: 'Close the payment', run: () => selectPayment(undefined) },
    { key: '/', does: 'Filter', run: focusFilter },
    ...(CAN_ACT ? [{ key: 'n', does: 'New payment link', run: openNewLink }] : []),
    ...everywhere,
  ],
  review: CAN_ACT
    ? [
        { key: 'j', does: 'Next item', run: () => stepItem(1) },
        { key: 'k', does: 'Previous item', run: () => stepItem(-1) },
        { key: 'a', does: 'Approve, or close in our favour', run: () => decide('approve') },
        { key: 'x', does: 'Reject, or lose to the customer', run: () => decide('reject') },
        ...everywhere,
      ]
    : everywhere,
  faults: everywhere,
  maps: everywhere,
  account: everywhere,
}

const STEPS = new Set(['j', 'k'])

/** Listens on the whole page, except where somebody types, has a button to press or a menu open. */
export function listenForHotkeys(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    const target = event.target instanceof Element ? event.target : document.body
    if (target.closest('input, textarea, select, dialog')) return
    // An open menu is closed first, by the browser.
    if (document.querySelector(':popover-open')) return
    if (event.key === 'Enter' && target !== document.body) return

    const hotkey = hotkeys[route.peek().screen].find(({ key }) => key === event.key)
    // A key held down goes on stepping, and nothing else: it would approve or replay whatever comes next.
    if (!hotkey || (event.repeat && !STEPS.has(event.key))) return
    event.preventDefault()
    void hotkey.run()
  })
}
