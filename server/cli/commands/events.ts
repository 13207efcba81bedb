import type { Payments } from '../../client/payments.ts'
import type { EventView } from '../../contract/views.ts'
import { command } from '../command.ts'
import { accountFlag, connectionFlags, LINK_NOTE } from '../shared-flags.ts'
import { findAddress, connect } from '../connect.ts'
import { followEvents } from './follow-events.ts'
import { eventLine } from '../../contract/format/terminal-lines.ts'
import { print } from '../io.ts'
import { eventTypeNote, readEventType } from '../read-event-type.ts'
import { readWholeNumber } from '../read-values.ts'

const PAGE = 1000
const NEWEST = 100

export const events = command({
  text: 'list what happened, or with --follow watch it as it happens',
  flags: {
    follow: { kind: 'switch', text: 'also print new events; continues after a restart of the sandbox' },
    type: { kind: 'list', value: '<type>', text: 'only events of this type; repeatable' },
    link: { kind: 'text', value: '<link>', text: 'only events about this link' },
    account: accountFlag,
    after: {
      kind: 'text',
      value: '<seq>',
      text: 'only events after the event with this seq (without --after: the newest 100 events)',
    },
    limit: { kind: 'text', value: '<n>', text: 'maximum number of events, 1 to 1000' },
    ...connectionFlags,
  },
  examples: ['events --follow --type link.paid --type delivery.attempted', 'events --link 1001 --json'],
  notes: () => [LINK_NOTE, eventTypeNote()],
  async run({ flags }, io) {
    const type = flags.type.flatMap((names) => names.split(',')).map(readEventType)
    const after = readWholeNumber('after', flags.after, 0)
    const limit = readWholeNumber('limit', flags.limit, 1, PAGE)
    const sandbox = await connect(flags, io)
    const account = flags.account === undefined ? undefined : await sandbox.account(flags.account)
    const link = flags.link === undefined ? undefined : await sandbox.link(flags.link)

    const show = (event: EventView): void => print(io, flags.json, event, () => eventLine(event))
    const filter = { ...(type.length > 0 && { type }), ...(link && { link: link.id }) }
    const payments = account ?? sandbox
    if (!flags.follow) {
      if (after === undefined) (await payments.events({ ...filter, limit: limit ?? NEWEST })).forEach(show)
      else await list(payments, filter, after, limit, show)
      return 0
    }

    const address = await findAddress(flags, io)
    const { epoch = '', journal } = await sandbox.info()
    const place = { epoch, after: after ?? (await seqBeforeNewest(payments, filter, limit, journal.head)) }
    await followEvents(address, place, sandbox, io, (event) => {
      const isWanted =
        (type.length === 0 || type.includes(event.type)) &&
        (account === undefined || event.accountId === account.id) &&
        (link === undefined || event.linkId === link.id)
      if (isWanted) show(event)
    })
    return 0
  },
})

async function list(
  payments: Payments,
  filter: object,
  after: number,
  limit: number | undefined,
  show: (event: EventView) => void,
): Promise<void> {
  for (let last = after; ;) {
    const page = await payments.events({ ...filter, after: last, limit: limit ?? PAGE })
    page.forEach(show)
    if (limit !== undefined || page.length < PAGE) return
    last = page.at(-1)!.seq
  }
}

/** The `seq` of the event before the newest ones. A stream that starts there prints each of them once. */
async function seqBeforeNewest(
  payments: Payments,
  filter: object,
  limit: number | undefined,
  head: number,
): Promise<number> {
  const [first] = await payments.events({ ...filter, before: head + 1, limit: limit ?? NEWEST })
  return first === undefined ? head : first.seq - 1
}
