import { z } from 'zod'
import { ToolError } from '../explain-failure.ts'
import { createAction } from '../tool.ts'

const origin = z.string().optional()

export const setMapsAction = createAction({
  description:
    'Sends webhooks and redirects for one origin to another, so that links with production addresses reach the app on this machine: from https://shop.example to http://localhost:3000. To remove a map, pass mapFrom alone. Without both, it lists the maps.',
  input: z.strictObject({
    mapFrom: origin.meta({ description: 'For set_maps: the origin in links.' }),
    mapTo: origin.meta({ description: 'For set_maps: the origin that receives the webhooks and redirects.' }),
  }),
  effect: { kind: 'changes', isIdempotent: true, reachesApp: true },
  async run({ mapFrom: from, mapTo: to }, { sandbox, inspector }) {
    if (from === undefined && to !== undefined) {
      throw new ToolError(
        'mapTo has no effect without mapFrom. Also pass mapFrom, the origin that links name.',
      )
    }
    const { maps } = sandbox
    const all =
      from === undefined
        ? await maps.list()
        : to === undefined
          ? await maps.remove(from)
          : await maps.add(from, to)
    return {
      lines:
        all.length === 0
          ? ['There are no maps.']
          : all.map(
              ({ source, heldReason }, index) =>
                `Map ${index + 1}, from ${source === 'start' ? 'the start options' : 'a change'}: ${heldReason === null ? 'webhooks are sent' : 'webhooks are held, because its target is not allowed'}`,
            ),
      inspector: inspector.screen('connect/maps'),
      untrusted: Object.fromEntries(
        all.map((map, index) => [`map ${index + 1}`, { from: map.from, to: map.to, held: map.heldReason }]),
      ),
    }
  },
})
