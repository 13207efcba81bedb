import { z } from 'zod'
import { behaviorNames, defaultOption } from '../../domain/behaviors/behavior.ts'
import { readPaymentEvents } from '../../client/payment-events.ts'
import { paymentsOf, verdictOfPayments } from '../../contract/format/verdict.ts'
import type { WebhookState } from '../../contract/format/webhook-marks.ts'
import { plural } from '../../contract/format/values.ts'
import { faultLine, faultTexts } from '../describe.ts'
import { createTool } from '../tool.ts'

const MAX_ACCOUNTS = 20
const MAX_FAULTS = 20

export const sandboxStatusTool = createTool({
  name: 'sandbox_status',
  title: 'Status of the sandbox',
  description:
    'Call this first. Tells the address of the sandbox, the accounts with their API keys, the environment variables for the app under test, and what is set: clock, behaviors, faults. Says how many payments have not reached the app, and counts webhooks that failed and did not arrive later, are held or are stored in a tunnel.',
  input: z.strictObject({}),
  effect: { kind: 'reads' },
  async run(_input, { sandbox, inspector }) {
    const [info, accounts, behaviors, faults, events] = await Promise.all([
      sandbox.info(),
      sandbox.accounts(),
      sandbox.behaviors.read(),
      sandbox.faults.list(),
      readPaymentEvents(sandbox),
    ])
    const payments = paymentsOf(events)
    const marks = payments.flatMap(({ webhooks }) => webhooks)
    const count = (state: WebhookState) => marks.filter((mark) => mark.state === state).length
    const shown = accounts.slice(0, MAX_ACCOUNTS)
    const first = accounts.find(({ environment }) => environment === 'development')
    const changed = behaviorNames.filter((name) => behaviors[name] !== defaultOption(name))
    return {
      lines: [
        `paylink-sandbox ${sandbox.version} at ${sandbox.url}`,
        ...(info.upstream === null
          ? []
          : [
              `${info.upstream} answers the calls of apps. Tools use the sandbox's own links and payments, which are not there.`,
            ]),
        `Clock: ${info.clock.now}, ${info.clock.mode}`,
        `${plural(info.counts.links, 'link')}, ${plural(info.counts.events, 'event')} up to #${info.journal.head}`,
        verdictOfPayments(payments).headline,
        `Webhooks: ${count('failed')} failed, ${count('held')} held, ${count('stored')} stored in a tunnel. explain_webhook explains them.`,
        `Behaviors that differ from the default: ${changed.map((name) => `${name}=${behaviors[name]}`).join(', ') || 'none'}`,
        ...(faults.length === 0 ? ['No faults.'] : faults.slice(0, MAX_FAULTS).map(faultLine)),
        ...(first === undefined
          ? ['There is no account. Use account.']
          : ['For the app:', ...Object.entries(first.env).map(([name, value]) => `  ${name}=${value}`)]),
        'Accounts. Their names and webhook targets are in the data:',
        ...shown.map(
          ({ id, environment, apiKey, recipientToken }) =>
            `  ${id}: ${environment}, API key ${apiKey}, recipient token ${recipientToken}`,
        ),
        ...(accounts.length > shown.length ? [`  ${accounts.length - shown.length} more accounts`] : []),
      ],
      inspector: inspector.screen('timeline'),
      untrusted: {
        accounts: Object.fromEntries(
          shown.map(({ id, name, paymentEndpoint }) => [id, { name, paymentEndpoint }]),
        ),
        ...(faults.length === 0 ? {} : { faults: faults.slice(0, MAX_FAULTS).map(faultTexts) }),
      },
    }
  },
})
