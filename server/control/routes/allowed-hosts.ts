import { Hono } from 'hono'
import { z } from 'zod'
import { broadPatternWarnings } from '../../domain/network/allowed-host.ts'
import { apiError } from '../../domain/api/api-error.ts'
import { changeEgressRules } from '../../service/operations/settings/change-egress-rules.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import { readAfterCommit } from '../../store/read-after-commit.ts'
import type { ControlContext } from '../context.ts'
import { countAllowed } from '../egress/count-allowed.ts'
import { hostPattern } from '../../contract/schemas/request-fields.ts'
import { body } from '../requests/validators.ts'
import { unknownItemNotes } from '../requests/unknown-items.ts'
import { invalid } from '../requests/problem.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { ruleWarnings, allowedCount } from '../../contract/schemas/map.ts'
import { describeRoute } from '../requests/describe-route.ts'

const MAX_HOSTS = 200

const hosts = z
  .array(hostPattern('should be a host name like shop.example, or *.shop.example for its subdomains'), {
    error: 'should be a list of hosts',
  })
  .max(MAX_HOSTS, { error: `should have at most ${MAX_HOSTS} hosts` })

const ReplaceBody = z
  .strictObject({
    allowedHosts: hosts.meta({ description: 'The new list: host names, or `*.` and a domain.' }),
  })
  .meta({ examples: [{ allowedHosts: ['staging.shop.example'] }] })

const ChangeBody = z
  .strictObject({
    add: hosts.default([]).meta({ description: 'Hosts to allow.' }),
    remove: hosts
      .default([])
      .meta({ description: 'Hosts to allow no longer. They are removed before `add` is applied.' }),
  })
  .meta({ examples: [{ add: ['staging.shop.example'] }] })

const Hosts = z.object({ allowedHosts: readonlyList(z.string()) })
const ChangedHosts = Hosts.extend({ allowed: allowedCount, notes: ruleWarnings })

/** The public hosts that webhooks may be sent to. This machine and private networks are always allowed. */
export function allowedHostRoutes(context: ControlContext) {
  const { store, whyHostIsNeverAllowed } = context

  function assertCanBeAllowed(added: readonly string[]): void {
    for (const host of added) {
      const objection = whyHostIsNeverAllowed(host)
      if (objection !== null) throw invalid(`${objection}.`)
    }
  }

  async function change(next: (before: readonly string[]) => readonly string[]) {
    const { requeued, allowedHosts, maps } = await store.transact(async (work) => {
      const changed = await changeEgressRules(work, (before) => ({ allowedHosts: next(before.allowedHosts) }))
      const now = await egressRules.read(work.db)
      if (now.allowedHosts.length > MAX_HOSTS) throw apiError('tooManyHosts', MAX_HOSTS)
      return { requeued: changed, ...now }
    })
    const allowed = await readAfterCommit(0, () => countAllowed(context, requeued, maps))
    return { allowedHosts, allowed }
  }

  return new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'List allowed hosts',
        description: 'Webhooks may be sent to these hosts, to this machine and to private networks.',
        responses: { 200: Hosts },
      }),
      async (c) => c.json({ allowedHosts: (await egressRules.read(store.db)).allowedHosts }),
    )
    .put(
      '/',
      describeRoute({
        summary: 'Replace the allowed hosts',
        description:
          'Webhooks that were held for one of them are sent, in order. Cloud metadata addresses can never be allowed.',
        responses: { 200: ChangedHosts },
      }),
      body(ReplaceBody),
      async (c) => {
        const { allowedHosts } = c.req.valid('json')
        assertCanBeAllowed(allowedHosts)
        return c.json({ ...(await change(() => allowedHosts)), notes: broadPatternWarnings(allowedHosts) })
      },
    )
    .patch(
      '/',
      describeRoute({
        summary: 'Add and remove allowed hosts',
        description:
          'Other hosts stay, so that several programs can change the list. Removing an unknown host is not an error; `notes` mentions it.',
        responses: { 200: ChangedHosts },
        errors: [409],
      }),
      body(ChangeBody),
      async (c) => {
        const { add, remove } = c.req.valid('json')
        assertCanBeAllowed(add)
        const replaced = new Set([...remove, ...add])
        let notes: readonly string[] = []
        const changed = await change((before) => {
          notes = unknownItemNotes(remove, before, (host) => `${host} was not allowed.`)
          return [...before.filter((host) => !replaced.has(host)), ...add]
        })
        return c.json({ ...changed, notes: [...notes, ...broadPatternWarnings(add)] })
      },
    )
}
