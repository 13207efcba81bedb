import { Hono } from 'hono'
import { z } from 'zod'
import { warnAboutBroadPatterns } from '../../domain/network/allowed-host.ts'
import { apiError } from '../../domain/api/api-error.ts'
import { changeEgressRules } from '../../operations/webhooks/change-egress-rules.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import type { ControlContext } from '../context.ts'
import { countReleased } from '../egress/count-released.ts'
import { hostPattern } from '../../contract/schemas/request-fields.ts'
import { body } from '../requests/input.ts'
import { unknownItemNotes } from '../requests/unknown-items.ts'
import { Problem } from '../requests/problem.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { ruleWarnings, releasedCount } from '../../contract/schemas/map.ts'
import { describeRoute } from '../requests/describe-route.ts'

const MAX_HOSTS = 200

const hosts = z
  .array(hostPattern('should be a host name like shop.example, or *.shop.example for those below it'), {
    error: 'should be a list of hosts',
  })
  .max(MAX_HOSTS, { error: `should have at most ${MAX_HOSTS} hosts` })

const Wish = z
  .strictObject({
    allowedHosts: hosts.meta({
      description: 'All there are from then on: host names, or `*.` and a domain.',
    }),
  })
  .meta({ examples: [{ allowedHosts: ['staging.shop.example'] }] })

const Changes = z
  .strictObject({
    add: hosts.default([]).meta({ description: 'Hosts that webhooks may go to as well.' }),
    remove: hosts
      .default([])
      .meta({ description: 'Hosts that they may go to no longer, before any is added.' }),
  })
  .meta({ examples: [{ add: ['staging.shop.example'] }] })

const Hosts = z.object({ allowedHosts: readonlyList(z.string()) })

/** Hosts that webhooks may go to, beyond this machine and private networks. */
export function allowedHostRoutes(context: ControlContext) {
  const { store, whyHostIsNeverAllowed: objectionToHost } = context

  /** A host that would be allowed in vain. */
  function refuseNever(given: readonly string[]): void {
    for (const host of given) {
      const objection = objectionToHost(host)
      if (objection !== null) throw new Problem(400, 'Not valid', `${objection}.`)
    }
  }

  async function change(next: (before: readonly string[]) => readonly string[]) {
    const again = await store.transact(async (work) => {
      const changed = await changeEgressRules(work, (before) => ({ allowedHosts: next(before.allowedHosts) }))
      if ((await egressRules.read(work.db)).allowedHosts.length > MAX_HOSTS) {
        throw apiError('tooManyHosts', MAX_HOSTS)
      }
      return changed
    })
    const now = await egressRules.read(store.db)
    return { allowedHosts: now.allowedHosts, released: await countReleased(context, again, now.maps) }
  }

  return new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'List allowed hosts',
        description: 'Hosts beyond this machine and private networks that webhooks may go to.',
        answers: { 200: Hosts },
      }),
      async (c) => c.json({ allowedHosts: (await egressRules.read(store.db)).allowedHosts }),
    )
    .put(
      '/',
      describeRoute({
        summary: 'Allow hosts',
        description:
          'In place of all there are. What is held for one of them goes out, in order. Cloud metadata addresses never get anything.',
        answers: { 200: Hosts.extend({ released: releasedCount, notes: ruleWarnings }) },
      }),
      body(Wish),
      async (c) => {
        const { allowedHosts } = c.req.valid('json')
        refuseNever(allowedHosts)
        return c.json({ ...(await change(() => allowedHosts)), notes: warnAboutBroadPatterns(allowedHosts) })
      },
    )
    .patch(
      '/',
      describeRoute({
        summary: 'Allow and forbid hosts',
        description:
          'The others stay, whoever else changes some at the same time. To remove what is not there is no mistake, and told in `notes`.',
        answers: { 200: Hosts.extend({ released: releasedCount, notes: ruleWarnings }) },
        problems: [409],
      }),
      body(Changes),
      async (c) => {
        const { add, remove } = c.req.valid('json')
        refuseNever(add)
        const gone = new Set([...remove, ...add])
        let inVain: readonly string[] = []
        const changed = await change((before) => {
          inVain = unknownItemNotes(remove, before, (host) => `${host} was not allowed.`)
          return [...before.filter((host) => !gone.has(host)), ...add]
        })
        return c.json({ ...changed, notes: [...inVain, ...warnAboutBroadPatterns(add)] })
      },
    )
}
