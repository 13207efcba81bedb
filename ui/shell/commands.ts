import { computed, type ReadonlySignal } from '@preact/signals'
import { accountList, accountName } from '../data/accounts.ts'
import { request, withErrorToast } from '../data/api.ts'
import { clock } from '../data/clock.ts'
import { foldText } from '../data/fold-text.ts'
import { selectedEvent } from '../details/selected-event.ts'
import { actionsFor } from '../details/actions.ts'
import { formatRoute } from '../browser/hash-route.ts'
import { placeTitle, screens, screenTitle, tabsOf, type Tab } from '../browser/screens.ts'
import { openNewLink } from '../new-link/dialog-state.ts'
import { blockedReason, type PaymentAction } from '../data/possible-actions.ts'
import { statusOf, type Payment } from '../data/payment.ts'
import { runAction } from '../payments/run-action.ts'
import { navigate } from '../browser/route.ts'
import { log } from '../data/session.ts'
import type { GuideMatch } from '../../server/domain/text/guide-search.ts'
import { formatAmount } from '../../server/contract/format/values.ts'
import { theme, themes } from '../browser/theme.ts'
import { nextTimeZone, timeZone } from '../browser/time-zone.ts'
import { showToast } from '../browser/toasts.ts'
import type { RankOf } from '../search/filter.ts'
import { amountTexts, isNumberOfPayment } from '../search/filter-terms.ts'
import { searchItems, type Matches } from '../search/readings.ts'
import { workInSlices, type Steps } from '../search/slices.ts'
import { contains, toPhrases } from '../search/words.ts'
import { jumpToNewest, pausedAt, togglePause } from '../search/view.ts'
import { docsUrl } from '../data/urls.ts'
import { clockActions, runClockAction } from '../sandbox/clock-actions.ts'
import type { IconName } from '../components/icon.tsx'
import { chooseHar } from './import-har.ts'
import { openHelp } from './open-help.ts'
import { groups, type PaletteCommand } from './palette-command.ts'
import { questions } from './questions.ts'

const MAX_COMMANDS = { Questions: 5, Payments: 6, 'Go to': 12, Guides: 5, Actions: 8 } as const

/** The commands that a text finds. */
export const searchCommands = (text: ReadonlySignal<string>) =>
  workInSlices(() => ({ query: text.value, items: newestPayments.peek() }), search)

function* search(query: string, payments: readonly Payment[]): Steps<Matches<Candidate>> {
  const candidates = yield* listCandidates(query.trim() !== '', query.match(/\d+/g) ?? [], payments)
  // People ask for order 12’s webhook.
  const withoutGenitives = query.replaceAll(/['’]s(?!\S)/g, '')
  const matches = yield* searchItems(withoutGenitives, candidates, {}, rankOf, ({ texts }) => texts)
  return { ...matches, query }
}

/** The best matches as commands, by group, with sections of guides, which the server finds. */
export function toCommands(
  { query, bestFirst }: Matches<Candidate>,
  guides: readonly GuideMatch[],
): readonly PaletteCommand[] {
  // In a search, results come before actions. Without a search, there are no results.
  const inOrder =
    query.trim() === '' ? groups : (['Payments', ...groups.filter((name) => name !== 'Payments')] as const)
  return inOrder.flatMap((name) =>
    name === 'Guides'
      ? guides.slice(0, MAX_COMMANDS.Guides).map(openGuide)
      : bestFirst
          .filter(({ group }) => group === name)
          .slice(0, MAX_COMMANDS[name])
          .map(({ command }) => command()),
  )
}

/**
 * What a search can find. Without a search, the most common commands. Questions and actions are about the payments with the
 * numbers of the search, or if there are none, about the newest payments.
 */
function* listCandidates(
  isSearch: boolean,
  numbers: readonly string[],
  payments: readonly Payment[],
): Steps<readonly Candidate[]> {
  const phrases = toPhrases(numbers)
  const named: Payment[] = []
  for (const payment of phrases.length > 0 ? payments : []) {
    if (phrases.some((phrase) => contains(textsOf(payment)[0]!, phrase))) named.push(payment)
    yield
  }
  const subjects = named.length > 0 ? named : payments
  const asked = isSearch && named.length === 0 ? questionsAboutAll.peek() : questions(isSearch, subjects)
  return [
    ...(isSearch ? paymentCandidates.peek() : payments.slice(0, 5).map(toCandidate)),
    ...[...places(isSearch), ...asked, ...actions(isSearch, subjects)].map((command) => ({
      command: () => command,
      texts: [command.title, `${command.about ?? ''}\n${command.words ?? ''}\n${command.group}`].map(
        foldText,
      ),
      group: command.group,
    })),
  ]
}

/** An item that a search may find. There may be many payments, so commands are created only for those that are shown. */
interface Candidate {
  readonly command: () => PaletteCommand
  readonly texts: readonly string[]
  readonly group: PaletteCommand['group']
  readonly payId?: number
}

/** The place of the first text that contains a phrase. */
const rankOf: RankOf<Candidate> =
  (phrase) =>
  ({ texts, payId }) => {
    if (payId !== undefined && isNumberOfPayment(payId, phrase)) return 0
    const rank = texts.findIndex((text) => contains(text, phrase))
    return rank === -1 ? Infinity : rank
  }

const newestPayments = computed((): readonly Payment[] =>
  [...log.journal.value.eventIndex.payments.values()].toReversed(),
)

/** Both take long among many payments, so they are kept until an event arrives. */
const paymentCandidates = computed(() => newestPayments.value.map(toCandidate))
const questionsAboutAll = computed(() => questions(true, newestPayments.value))

const describe = ({ link }: Payment): string =>
  [link.note, formatAmount(link.amount)].filter(Boolean).join(' · ')

const paymentTexts = new WeakMap<Payment, readonly string[]>()

/** Cached by object, which works because a payment that changes is a new object. */
function textsOf(payment: Payment): readonly string[] {
  let texts = paymentTexts.get(payment)
  if (!texts) {
    const { payId, note, amount, accountId } = payment.link
    texts = [
      `${payId}\n${note}`,
      accountName(accountId),
      `${amountTexts(amount)}\n${statusOf(payment).text}`,
    ].map(foldText)
    paymentTexts.set(payment, texts)
  }
  return texts
}

const toCandidate = (payment: Payment): Candidate => {
  const { payId, note, amount } = payment.link
  return {
    group: 'Payments',
    payId,
    // Read in the slices of a search, because folding the texts of many payments takes long.
    get texts() {
      return textsOf(payment)
    },
    command: () => ({
      group: 'Payments',
      icon: 'payments',
      title: `${payId} ${note}`.trim(),
      about: `${formatAmount(amount)} · ${statusOf(payment).text.toLowerCase()}`,
      run: () => navigate({ screen: 'payments', id: payId, query: '', sort: undefined }),
    }),
  }
}

interface PaymentCommand {
  readonly icon: IconName
  readonly title: (payId: number) => string
  readonly consequence: string
}

const paymentActions: Partial<Readonly<Record<PaymentAction, PaymentCommand>>> = {
  'Pay by card': {
    icon: 'payments',
    title: (payId) => `Pay ${payId} by card`,
    consequence: 'The link is paid, and its webhooks are sent.',
  },
  'Bank transfer': {
    icon: 'payments',
    title: (payId) => `Pay ${payId} by bank transfer`,
    consequence: 'The link waits until the transfer is approved or rejected.',
  },
  'Cancel payment': {
    icon: 'close',
    title: (payId) => `Cancel payment ${payId}`,
    consequence: 'The link can no longer be paid.',
  },
  'Approve transfer': {
    icon: 'ok',
    title: (payId) => `Approve the transfer of ${payId}`,
    consequence: 'The link is paid, and its webhooks are sent.',
  },
  'Approve refund': {
    icon: 'ok',
    title: (payId) => `Approve the refund of ${payId}`,
    consequence: 'The refund is final.',
  },
}

/** With more payments, there would be too many actions. All actions are on the payments' screens. */
const MAX_PAYMENTS_WITH_ACTIONS = 200

/** Actions that are possible now. */
function actions(isSearch: boolean, payments: readonly Payment[]): PaletteCommand[] {
  const event = selectedEvent.peek()
  const selected = event
    ? actionsFor(event).map(({ label, key, run }): PaletteCommand => ({
        group: 'Actions',
        icon: 'webhook',
        title: label,
        about: `event ${event.seq}`,
        changes: true,
        ...(key !== undefined && { key }),
        run,
      }))
    : []
  const open = payments.filter((payment) => blockedReason('Pay by card', payment) === null)
  const offered = isSearch ? payments.slice(0, MAX_PAYMENTS_WITH_ACTIONS) : open.slice(0, 1)
  const ofPayments = offered.flatMap((payment) =>
    (Object.entries(paymentActions) as [PaymentAction, PaymentCommand][])
      .filter(([action]) => blockedReason(action, payment) === null)
      .slice(0, isSearch ? undefined : 1)
      .map(([action, { icon, title, consequence }]): PaletteCommand => ({
        group: 'Actions',
        icon,
        title: title(payment.link.payId),
        about: describe(payment),
        changes: true,
        consequence,
        run: () => withErrorToast(() => runAction(action, payment.link)),
      })),
  )
  const isFrozen = clock.peek()?.mode === 'frozen'
  const ofClock = clockActions(isFrozen)
    .filter(({ name }) => isSearch || name === 'month')
    .map((action): PaletteCommand => ({
      group: 'Actions',
      icon: 'clock',
      title: action.title,
      about: 'Clock',
      changes: true,
      ...(action.advances && {
        consequence: 'Retries and invoices that fall due until then are made now.',
      }),
      run: () => runClockAction(action),
    }))
  return [
    ...ofPayments,
    {
      group: 'Actions',
      icon: 'add',
      title: 'New link',
      about: 'opens a form',
      key: 'n',
      run: openNewLink,
    },
    ...selected,
    ...ofClock,
    {
      group: 'Actions',
      icon: 'pause',
      title: pausedAt.peek() === undefined ? 'Pause the timeline' : 'Resume the timeline',
      key: 'p',
      run: togglePause,
    },
    {
      group: 'Actions',
      icon: 'down',
      title: 'Follow the newest event',
      key: 'g',
      run: () => {
        navigate({ screen: 'timeline', id: undefined, other: undefined })
        jumpToNewest()
      },
    },
    ...(isSearch
      ? ([
          {
            group: 'Actions',
            icon: 'add',
            title: 'Import a HAR file',
            about: 'recorded calls',
            run: chooseHar,
          },
          {
            group: 'Actions',
            icon: 'test',
            title: 'Fail the next webhook',
            about: 'Fault 500, once',
            changes: true,
            run: failNextWebhook,
          },
          ...themes.map((name): PaletteCommand => ({
            group: 'Actions',
            icon: 'theme',
            title: name === 'auto' ? 'Use the theme of the system' : `Use the ${name} theme`,
            words: 'auto dark mode light mode appearance',
            changes: true,
            run: () => (theme.value = name),
          })),
          {
            group: 'Actions',
            icon: 'clock',
            title: timeZone.peek() === 'UTC' ? 'Show local times' : 'Show times in UTC',
            about: 'Time zone',
            changes: true,
            run: nextTimeZone,
          },
        ] satisfies PaletteCommand[])
      : []),
  ]
}

const failNextWebhook = (): Promise<unknown> =>
  withErrorToast(async () => {
    await request('POST /faults', { json: { on: 'webhook', script: '500' } })
    showToast({ tone: 'ok', text: 'The next webhook fails with 500' })
  })

const openGuide = ({ page, guide, heading, sentence }: GuideMatch): PaletteCommand => ({
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

/** Other words that find a tab. */
const wordsOfTabs: Readonly<Partial<Record<Tab, string>>> = {
  review: 'approve reject bank transfer refund dispute decision',
  scenarios: 'failure test what can go wrong',
  checks: 'check your app receiver test integration webhooks login',
  faults: 'inject fail error chaos',
  accounts: 'keys tokens urls billing invoices',
  tunnels: 'tunnel listener ngrok forward capture',
  maps: 'map host forwarding',
  'held-webhooks': 'allow once hosts egress',
}

/** Parts of the screen Sandbox that a search finds. */
const parts: readonly (readonly [title: string, point: string | undefined, words: string])[] = [
  ['Snapshots', 'snapshots', 'take a snapshot restore save state backup'],
  ['Open points', 'behaviors', 'behaviors retries undocumented options'],
  ['Clock', 'clock', 'time travel freeze advance'],
  ['Report', 'report', 'html har download export'],
  ['Reset the sandbox…', 'reset', 'delete clear everything asks first'],
]

const places = (isSearch: boolean): PaletteCommand[] => [
  ...screens.map((screen, index): PaletteCommand => ({
    group: 'Go to',
    icon: screen,
    title: screenTitle(screen),
    key: String(index + 1),
    run: visit(formatRoute({ screen })),
  })),
  ...(isSearch ? screens : []).flatMap((screen) =>
    tabsOf(screen).map(([tab]): PaletteCommand => ({
      group: 'Go to',
      icon: screen,
      title: placeTitle({ screen, tab }),
      about: screenTitle(screen),
      words: wordsOfTabs[tab] ?? '',
      run: visit(formatRoute({ screen, tab })),
    })),
  ),
  ...(isSearch ? parts : []).map(([title, point, words]): PaletteCommand => ({
    group: 'Go to',
    icon: 'sandbox',
    title,
    about: screenTitle('sandbox'),
    words,
    run: () =>
      navigate({ screen: 'sandbox', id: undefined, query: '', range: undefined, account: undefined, point }),
  })),
  ...accountList.peek().map(({ id, name }): PaletteCommand => ({
    group: 'Go to',
    icon: 'account',
    title: name,
    about: 'account',
    run: visit(formatRoute({ screen: 'connect', tab: 'accounts', account: id })),
  })),
  { group: 'Go to', icon: 'documents', title: 'API documents', run: visit(docsUrl) },
  { group: 'Go to', icon: 'documents', title: 'Guides', run: visit(`${docsUrl}/guides`) },
  { group: 'Go to', icon: 'help', title: 'Help: keyboard and filter', key: '?', run: openHelp },
]
