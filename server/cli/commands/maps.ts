import { hidePasswords } from '../../domain/network/credentials.ts'
import type { KeptMap } from '../../client/egress-rules.ts'
import { whyInvalidMapOrigin } from '../../domain/network/validate-map.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { command } from '../command.ts'
import { connectionFlags } from '../shared-flags.ts'
import { connect } from '../connect.ts'
import { printMessage, print } from '../io.ts'

export const maps = command({
  text: 'send webhooks and redirects to another address, such as this machine instead of production',
  actions: {
    list: { operands: [], text: 'list URL maps; the default' },
    add: {
      operands: ['<origin>=<url>'],
      text: 'send webhooks and redirects for an origin to another address',
    },
    remove: { operands: ['<origin>'], text: 'remove the map of an origin' },
  },
  flags: { ...connectionFlags },
  examples: [
    'maps add https://shop.example.com=http://localhost:3000',
    'maps remove https://shop.example.com',
  ],
  async run({ flags, action, operands }, io) {
    const added = action === 'add' ? readMap(operands[0]) : undefined
    const removed = action === 'remove' ? readOrigin(operands[0]) : undefined
    const { maps: handle } = await connect(flags, io)

    if (added !== undefined) {
      const all = await handle.add(added.from, added.to)
      print(io, flags.json, all, () => text(all))
    } else if (removed !== undefined) {
      const before = await handle.list()
      const left = await handle.remove(removed)
      if (left.length === before.length) {
        const origins = before.map(({ from }) => from).join(', ')
        const others = before.length === 0 ? 'There are no maps.' : `Maps exist for: ${origins}.`
        printMessage(io, `There is no map for ${removed}. ${others}`)
        return 1
      }
      print(io, flags.json, left, () => text(left))
    } else {
      const all = await handle.list()
      print(io, flags.json, all, () => text(all))
    }
    return 0
  },
})

function readMap(pair: string): { readonly from: string; readonly to: string } {
  const [from = '', to = ''] = pair.split(/=(.*)/s)
  if (from !== '' && to !== '') return { from: readOrigin(from), to }
  throw new UsageError(
    `${pair} is not a map. It must be an origin and an address, like https://shop.example.com=http://localhost:3000.`,
  )
}

function readOrigin(origin: string): string {
  const problem = whyInvalidMapOrigin(origin)
  if (problem === null) return origin
  throw new UsageError(`The origin is ${hidePasswords(origin)}. It ${problem}.`)
}

const text = (all: readonly KeptMap[]): string => all.map(line).join('\n') || 'There are no maps'

const line = ({ from, to, heldReason }: KeptMap): string =>
  `${from} → ${to}${heldReason === null ? '' : `  held: ${heldReason}`}`
