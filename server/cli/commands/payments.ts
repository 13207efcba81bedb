import type { Outcome } from '../../client/payments.ts'
import { formatAmount } from '../../contract/format/values.ts'
import type { RefundView } from '../../contract/views.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { browserActions, paymentMethods, type BrowserAction } from '../../domain/links/link.ts'
import { command } from '../command.ts'
import { connect } from '../connect.ts'
import { deliveryAdvice } from '../delivery-advice.ts'
import { type CommandIo, print } from '../io.ts'
import { openLink, optionalLinkFlags, readLinkChoice } from '../new-link.ts'
import { exitCodeOfOutcome, outcomeText } from '../payment-text.ts'
import { oneOf, readLimit, readWholeNumber } from '../read-values.ts'
import { accountFlag, connectionFlags, limitFlag, LINK_NOTE } from '../shared-flags.ts'
import { printNextPage } from '../next-page.ts'

const browserFlag = {
  kind: 'text',
  value: '<what>',
  text: 'whether the browser returns to the shop afterwards, or closes (returns)',
} as const

const noWaitFlag = { kind: 'switch', text: 'do not wait for the webhooks' } as const

export const pay = command({
  text: 'pay a link, or with --amount a new link, and see its redirect and webhooks',
  operands: ['[link]'],
  flags: {
    method: { kind: 'text', value: '<method>', text: 'card or bank-transfer (card)' },
    browser: browserFlag,
    'no-wait': noWaitFlag,
    ...optionalLinkFlags,
    ...connectionFlags,
  },
  examples: [
    'pay --amount 5',
    'pay --amount 100 --recipient rcpBikeCourierFakeToken0002=30 --note "Order 7"',
    'pay 1001',
    'pay pay:1001 --browser closes',
  ],
  notes: () => [LINK_NOTE],
  async run(input, io) {
    const { flags } = input
    const method = oneOf('method', flags.method, paymentMethods)
    const browser = oneOf('browser', flags.browser, browserActions)
    const choice = readLinkChoice(input)
    const sandbox = await connect(flags, io)

    const outcome = await sandbox.pay(await openLink(sandbox, choice, flags, io), {
      ...(method && { method }),
      ...(browser && { browser }),
      ...(flags['no-wait'] && { wait: 'accepted' }),
    })
    const advice = flags.json ? [] : await deliveryAdvice(sandbox, outcome.deliveries)
    return printOutcome(outcome, { browser, advice, flags }, io)
  },
})

export const cancel = command({
  text: 'cancel a link as the customer; with --amount, create the link first',
  operands: ['[link]'],
  flags: { browser: browserFlag, 'no-wait': noWaitFlag, ...optionalLinkFlags, ...connectionFlags },
  examples: ['cancel --amount 5', 'cancel 1001', 'cancel pay:1001 --no-wait'],
  notes: () => [LINK_NOTE],
  async run(input, io) {
    const { flags } = input
    const browser = oneOf('browser', flags.browser, browserActions)
    const choice = readLinkChoice(input)
    const sandbox = await connect(flags, io)

    const outcome = await sandbox.cancel(await openLink(sandbox, choice, flags, io), {
      ...(browser && { browser }),
      ...(flags['no-wait'] && { wait: 'accepted' }),
    })
    const advice = flags.json ? [] : await deliveryAdvice(sandbox, outcome.deliveries)
    return printOutcome(outcome, { browser, advice, flags }, io)
  },
})

interface PrintOptions {
  readonly browser: BrowserAction | undefined
  readonly advice: readonly string[]
  readonly flags: { readonly json: boolean; readonly 'no-wait': boolean }
}

/**
 * Prints the result of a payment. The exit code is 1 if a webhook failed or is held, even though the payment itself succeeded.
 */
function printOutcome(outcome: Outcome, { browser, advice, flags }: PrintOptions, io: CommandIo): number {
  print(io, flags.json, outcome, () => [outcomeText(outcome, browser), ...advice].join('\n'))
  return flags['no-wait'] ? 0 : exitCodeOfOutcome(outcome)
}

export const decline = command({
  text: 'act as a customer whose bank declines the card; with --amount, create the link first',
  operands: ['[link]'],
  flags: { ...optionalLinkFlags, ...connectionFlags },
  examples: ['decline --amount 5', 'decline 1001', 'decline pay:1001 --json'],
  notes: () => [LINK_NOTE],
  async run(input, io) {
    const { flags } = input
    const choice = readLinkChoice(input)
    const sandbox = await connect(flags, io)

    const link = await sandbox.decline(await openLink(sandbox, choice, flags, io))
    print(
      io,
      flags.json,
      link,
      () =>
        `The bank declined the card for link ${link.id}: ${formatAmount(link.amount)}. The link can still be paid.`,
    )
    return 0
  },
})

export const refund = command({
  text: 'list, approve or reject refund requests as the operator of the service',
  actions: {
    list: { operands: [], text: 'list refund requests; the default' },
    approve: { operands: ['<link>'], text: 'approve the refund of this link' },
    reject: { operands: ['<link>'], text: 'reject the refund of this link' },
  },
  flags: {
    account: { ...accountFlag, text: 'with list: only this account' },
    before: { kind: 'text', value: '<pay_id>', text: 'with list: only payments before this one' },
    limit: { ...limitFlag, text: `with list: ${limitFlag.text}` },
    ...connectionFlags,
  },
  examples: ['refund', 'refund approve 1001'],
  notes: () => [LINK_NOTE],
  async run({ flags, action, operands }, io) {
    const before = readWholeNumber('before', flags.before, 0)
    const limit = readLimit(flags.limit)
    const ofList = (['account', 'before', 'limit'] as const).find((name) => flags[name] !== undefined)
    if (action !== 'list' && ofList !== undefined) {
      throw new UsageError(
        `--${ofList} applies only to refund list. Leave it out, or write npx paylink-sandbox refund list.`,
      )
    }
    const sandbox = await connect(flags, io)
    if (action === 'list') {
      const payments = flags.account === undefined ? sandbox : await sandbox.account(flags.account)
      const page = await payments.refunds.list(omitUndefined({ before, limit }))
      const none = before === undefined ? 'No refund was requested' : 'There are no older refunds'
      print(io, flags.json, page, () => page.map(line).join('\n') || none)
      printNextPage(page, limit, ({ payId }) => `--before ${payId}`, io)
      return 0
    }
    const decided = await sandbox.refunds[action](operands[0])
    print(io, flags.json, decided, () => line(decided))
    return 0
  },
})

const line = ({ payId, amount, state }: RefundView): string =>
  `Refund of ${formatAmount(amount)} for pay ${payId}: ${state}`
