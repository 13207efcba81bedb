import { screens, screenTitle, type Screen } from '../browser/screens.ts'
import { openNewLink } from '../new-link/dialog-state.ts'
import { closeReplayEditor, editedDelivery } from '../replay/replay-state.ts'
import { navigate, route } from '../browser/route.ts'
import { openHelp } from './open-help.ts'
import { openPalette } from './palette-state.ts'
import { openSelected } from '../timeline/open-selected.ts'
import { isFollowing, jumpToNewest, select, step, togglePause } from '../search/view.ts'

interface Hotkey {
  readonly key: string
  readonly label: string
  readonly run: () => unknown
}

const focusFilter = () => document.querySelector<HTMLInputElement>('#filter')?.focus()
const focusDetails = () => document.getElementById('details')?.focus()

function closeTopmost(): void {
  if (route.peek().other !== undefined) {
    navigate({ other: undefined })
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[role=grid]')?.focus())
  } else if (editedDelivery.peek() !== undefined) closeReplayEditor()
  else select(undefined)
}

/** The digits open the screens in the sequence of the navigation. */
const screenKeys: readonly Hotkey[] = screens.map((screen, index) => ({
  key: String(index + 1),
  label: screenTitle(screen),
  run: () => {
    navigate({
      screen,
      id: undefined,
      query: '',
      range: undefined,
      sort: undefined,
      other: undefined,
      account: undefined,
      point: undefined,
    })
    if (screen === 'timeline') isFollowing.value = true
  },
}))

/** Loaded on demand, because these parts are separate files. */
const act = async (key: string) => (await import('../details/actions.ts')).runActionByKey(key)
const payments = () => import('../payments/payment-list.ts')
const journey = () => import('../payments/journey-webhook.ts')
const review = () => import('../payments/review/review-list.ts')

const NO_KEYS: readonly Hotkey[] = []

/** The keys that act on the sandbox. A report has none of them. */
const liveKeys = CAN_ACT
  ? {
      everywhere: [{ key: 'n', label: 'New link', run: openNewLink }],
      withoutFilter: [{ key: '/', label: 'Search', run: openPalette }],
      timeline: [
        { key: 'r', label: 'Replay the selected webhook', run: () => act('r') },
        { key: 'e', label: 'Edit and replay it', run: () => act('e') },
        {
          key: 'd',
          label: 'Compare it with the attempt before, or with the next one',
          run: () => act('d'),
        },
        { key: 'm', label: 'Map the host of the selected held webhook', run: () => act('m') },
        { key: 'p', label: 'Pause or resume the view', run: togglePause },
      ],
      payments: [
        {
          key: 'r',
          label: 'Replay the webhook that has the focus in the journey, or the only one',
          run: async () => (await journey()).replaySelected(),
        },
        { key: 'e', label: 'Edit and replay it', run: async () => (await journey()).editSelected() },
      ],
      review: [
        { key: 'j', label: 'Next item', run: async () => (await review()).stepItem(1) },
        { key: 'k', label: 'Previous item', run: async () => (await review()).stepItem(-1) },
        {
          key: 'a',
          label: 'Approve, or decide the dispute for the shop',
          run: async () => (await review()).decide('approve'),
        },
        {
          key: 'x',
          label: 'Reject, or decide the dispute for the customer',
          run: async () => (await review()).decide('reject'),
        },
      ],
    }
  : { everywhere: NO_KEYS, withoutFilter: NO_KEYS, timeline: NO_KEYS, payments: NO_KEYS, review: NO_KEYS }

const onAllScreens: readonly Hotkey[] = [
  ...liveKeys.everywhere,
  ...screenKeys,
  { key: '?', label: 'Show this help', run: openHelp },
]

/** On screens without a filter, the key searches everything. */
const withoutFilter = [...liveKeys.withoutFilter, ...onAllScreens]

const ofScreens: Readonly<Partial<Record<Screen, readonly Hotkey[]>>> = {
  timeline: [
    { key: 'j', label: 'Next event', run: () => step(1) },
    { key: 'k', label: 'Previous event', run: () => step(-1) },
    { key: 'Enter', label: 'Read the selected event', run: openSelected },
    CAN_ACT
      ? { key: 'Escape', label: 'Close the comparison, the editor or the event', run: closeTopmost }
      : { key: 'Escape', label: 'Close the event', run: () => select(undefined) },
    { key: '/', label: 'Filter', run: focusFilter },
    ...liveKeys.timeline,
    { key: 'c', label: 'Copy the selected request as cURL', run: () => act('c') },
    { key: 'l', label: 'Copy a link to the selected event', run: () => act('l') },
    { key: 'g', label: 'Follow the newest event', run: jumpToNewest },
    ...onAllScreens,
  ],
  payments: [
    { key: 'j', label: 'Next payment', run: async () => (await payments()).stepPayment(1) },
    { key: 'k', label: 'Previous payment', run: async () => (await payments()).stepPayment(-1) },
    { key: 'Enter', label: 'Read the selected payment', run: focusDetails },
    {
      key: 'Escape',
      label: 'Close the payment',
      run: async () => (await payments()).selectPayment(undefined),
    },
    { key: '/', label: 'Filter', run: focusFilter },
    ...liveKeys.payments,
    ...onAllScreens,
  ],
}

/** The keyboard shortcuts of the open screen. The help dialog lists them. */
export const currentHotkeys = (): readonly Hotkey[] =>
  route.value.tab === 'review'
    ? [...liveKeys.review, ...withoutFilter]
    : (ofScreens[route.value.screen] ?? withoutFilter)

const REPEATABLE = new Set(['j', 'k'])

/** Listens on the whole page, except in fields, dialogs and open menus. Enter on a button presses the button. */
export function listenForHotkeys(): void {
  addEventListener('keydown', (event) => {
    if (
      CAN_ACT &&
      (event.ctrlKey || event.metaKey) &&
      event.key === 'k' &&
      !event.altKey &&
      !event.shiftKey
    ) {
      event.preventDefault()
      if (!document.querySelector('dialog[open]')) openPalette()
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    const target = event.target instanceof Element ? event.target : document.body
    // After Escape has closed a dialog, the focus stays in it for a moment.
    const dialog = target.closest('dialog')
    if (dialog ? dialog.open : target.closest('input:not([type=radio], [type=checkbox]), textarea, select'))
      return
    // Escape first closes an open menu, which the browser does.
    if (document.querySelector(':popover-open')) return
    if (event.key === 'Enter' && target !== document.body) return

    const hotkey = currentHotkeys().find(({ key }) => key === event.key)
    // A held key must not approve or replay one item after another.
    if (!hotkey || (event.repeat && !REPEATABLE.has(event.key))) return
    event.preventDefault()
    void hotkey.run()
  })
}
