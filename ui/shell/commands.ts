import { accountList } from '../data/accounts.ts'
import { request, withErrorToast } from '../data/api.ts'
import { clock } from '../data/clock.ts'
import { selectedEvent } from '../details/selected-event.ts'
import { actionsFor } from '../details/actions.ts'
import { formatRoute, screens } from '../browser/hash-route.ts'
import { startNewLink } from '../new-link/start-new-link.ts'
import { blockedReason, type PaymentAction } from '../data/possible-actions.ts'
import { statusOf, type Payment } from '../data/payment.ts'
import { runAction } from '../payments/run-action.ts'
import { navigate } from '../browser/route.ts'
import { log } from '../data/session.ts'
import type { GuideMatch, Piece } from '../../server/domain/text/guide-search.ts'
import { formatAmount } from '../../server/contract/format/values.ts'
import { nextTheme } from '../browser/theme.ts'
import { nextTimeZone } from '../browser/time-zone.ts'
import { showToast } from '../browser/toasts.ts'
import { jumpToNewest, pausedAt, togglePause } from '../search/view.ts'
import { docsUrl } from '../data/urls.ts'
import { clockActions, runClockAction } from '../sandbox/clock-menu.tsx'
import type { IconName } from '../components/icon.tsx'
import { chooseHar } from './import-har.ts'
import { openHelp } from './open-help.ts'
import { screenEntries } from './screens.ts'

export const groups = ['Do', 'Payments', 'Go to', 'Guides'] as const

export interface Command {
  readonly group: (typeof groups)[number]
  readonly icon: IconName
  readonly title: string
  /** More text, which the search finds, too. */
  readonly about?: string
  /** What the palette shows of a guide instead of title and more text. */
  readonly marked?: { readonly title: readonly Piece[]; readonly sentence: readonly Piece[] }
  readonly key?: string
  readonly run: () => unknown
}

const MAX_PAYMENTS = 200
const MAX_COMMANDS = { Do: 8, Payments: 6, 'Go to': 12, Guides: 5 } as const

/** The commands that match a search, by group, and sections of guides. Without a search, the most common commands. */
export function findCommands(search: string, guides: readonly GuideMatch[]): readonly Command[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = ({ group, title, about = '' }: Command) => {
    const text = `${group} ${title} ${about}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  const all = [...actions(words.length > 0), ...payments(words.length > 0), ...places()]
  const found = [...all.filter(matches), ...guides.map(openGuide)]
  return groups.flatMap((name) => found.filter(({ group }) => group === name).slice(0, MAX_COMMANDS[name]))
}

const newestPayments = (): readonly Payment[] =>
  [...log.journal.peek().eventIndex.payments.values()].slice(-MAX_PAYMENTS).toReversed()

const describe = ({ link }: Payment): string =>
  [link.note, formatAmount(link.amount)].filter(Boolean).join(' · ')

const paymentActions: readonly (readonly [PaymentAction, IconName, (payId: number) => string])[] = [
  ['Pay by card', 'payments', (payId) => `Pay ${payId} by card`],
  ['Bank transfer', 'payments', (payId) => `Pay ${payId} by bank transfer`],
  ['Cancel payment', 'close', (payId) => `Cancel payment ${payId}`],
  ['Approve transfer', 'ok', (payId) => `Approve the transfer of ${payId}`],
  ['Approve refund', 'ok', (payId) => `Approve the refund of ${payId}`],
]

/** Actions that are possible now. */
function actions(isSearch: boolean): Command[] {
  const event = selectedEvent.peek()
  const selected = event
    ? actionsFor(event).map(({ label, key, run }): Command => ({
        group: 'Do',
        icon: 'webhook',
        title: label,
        about: `event ${event.seq}`,
        ...(key !== undefined && { key }),
        run,
      }))
    : []
  const open = newestPayments().filter((payment) => blockedReason('Pay by card', payment) === null)
  const ofPayments = (isSearch ? newestPayments() : open.slice(0, 1)).flatMap((payment) =>
    paymentActions
      .filter(([action]) => blockedReason(action, payment) === null)
      .slice(0, isSearch ? undefined : 1)
      .map(([action, icon, title]): Command => ({
        group: 'Do',
        icon,
        title: title(payment.link.payId),
        about: describe(payment),
        run: () => withErrorToast(() => runAction(action, payment.link)),
      })),
  )
  const isFrozen = clock.peek()?.mode === 'frozen'
  const ofClock = clockActions(isFrozen)
    .filter(([label]) => isSearch || label === 'Next month')
    .map(([label, done, change]): Command => ({
      group: 'Do',
      icon: 'clock',
      title: clockTitles[label] ?? label,
      about: 'Clock',
      run: () => runClockAction(done, change),
    }))
  return [
    ...ofPayments,
    {
      group: 'Do',
      icon: 'add',
      title: 'New payment link',
      key: 'n',
      run: startNewLink,
    },
    ...selected,
    ...ofClock,
    {
      group: 'Do',
      icon: 'pause',
      title: pausedAt.peek() === undefined ? 'Pause the timeline' : 'Resume the timeline',
      key: 'p',
      run: togglePause,
    },
    {
      group: 'Do',
      icon: 'down',
      title: 'Jump to the newest event',
      key: 'g',
      run: () => {
        navigate({ screen: 'timeline', id: undefined, other: undefined })
        jumpToNewest()
      },
    },
    ...(isSearch
      ? ([
          {
            group: 'Do',
            icon: 'add',
            title: 'Import a HAR file',
            about: 'recorded calls',
            run: chooseHar,
          },
          {
            group: 'Do',
            icon: 'faults',
            title: 'Fail the next webhook',
            about: 'Fault 500, once',
            run: failNextWebhook,
          },
          { group: 'Do', icon: 'theme', title: 'Change the theme', run: nextTheme },
          { group: 'Do', icon: 'clock', title: 'Change the time zone', run: nextTimeZone },
          {
            group: 'Do',
            icon: 'sandbox',
            title: 'Reset the sandbox…',
            about: 'asks first',
            run: () => navigate({ screen: 'sandbox', id: undefined, query: '', point: 'reset' }),
          },
        ] satisfies Command[])
      : []),
  ]
}

const clockTitles: Readonly<Record<string, string>> = {
  '+1 h': 'Advance by one hour',
  '+1 day': 'Advance by one day',
  'Next month': 'Advance to the next month',
  Freeze: 'Freeze the clock',
  Resume: 'Resume the clock',
  Now: 'Set the clock to the time of this machine',
}

const failNextWebhook = (): Promise<unknown> =>
  withErrorToast(async () => {
    await request('POST /faults', { json: { on: 'webhook', script: '500' } })
    showToast({ tone: 'ok', text: 'The next webhook fails with 500' })
  })

const payments = (isSearch: boolean): Command[] =>
  newestPayments()
    .slice(0, isSearch ? undefined : 5)
    .map((payment) => ({
      group: 'Payments',
      icon: 'payments',
      title: `${payment.link.payId} ${payment.link.note}`.trim(),
      about: `${formatAmount(payment.link.amount)} · ${statusOf(payment).text.toLowerCase()}`,
      run: () => navigate({ screen: 'payments', id: payment.link.payId, query: '' }),
    }))

const openGuide = ({ page, guide, heading, sentence }: GuideMatch): Command => ({
  group: 'Guides',
  icon: 'documents',
  title: page,
  marked: {
    title: heading.length > 0 ? [...guide, { text: ' › ', isMatch: false }, ...heading] : guide,
    sentence,
  },
  run: visit(`${docsUrl}/guides/${page}`),
})

const visit = (url: string) => () => location.assign(url)

const places = (): Command[] => [
  ...screens.map((screen, index): Command => ({
    group: 'Go to',
    icon: screenEntries[screen].icon,
    title: screenEntries[screen].title,
    key: String(index + 1),
    run: visit(formatRoute({ screen })),
  })),
  ...accountList.peek().map(({ id, name }): Command => ({
    group: 'Go to',
    icon: 'account',
    title: name,
    about: 'account',
    run: visit(formatRoute({ screen: 'account', account: id })),
  })),
  { group: 'Go to', icon: 'documents', title: 'API documents', run: visit(docsUrl) },
  { group: 'Go to', icon: 'documents', title: 'Guides', run: visit(`${docsUrl}/guides`) },
  { group: 'Go to', icon: 'help', title: 'Help: keyboard and filter', key: '?', run: openHelp },
]
