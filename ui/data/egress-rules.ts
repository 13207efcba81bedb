import type { OriginMap } from '../../server/domain/network/origin-map.ts'
import { plural } from '../../server/contract/format/values.ts'
import type { SandboxError } from '../../server/contract/sandbox-error.ts'
import { request, catchSandboxError, withErrorToast } from './api.ts'
import { createResource } from './resource.ts'
import { canLoad } from './session.ts'
import { showToast } from '../browser/toasts.ts'

// Defined before the resource, because the resource may call it at once.
async function load() {
  const [maps, hosts] = await Promise.all([request('GET /maps'), request('GET /allowed-hosts')])
  return { ...maps, ...hosts }
}

/** The maps and the allowed hosts. */
export const egressRules = createResource(() => (canLoad() ? load() : undefined))

/** Saves a map. Replaces the map from `before`, if there is one. Returns the error if this fails. */
export const saveMap = (map: OriginMap, before: string | undefined): Promise<SandboxError | undefined> =>
  catchSandboxError(async () => {
    const remove = before === undefined ? [] : [before]
    const result = await request('PATCH /maps', { json: { add: [map], remove } })
    showResult(`${map.from} is mapped`, result)
  })

export const removeMap = (map: OriginMap): Promise<unknown> =>
  withErrorToast(async () => {
    const result = await request('PATCH /maps', { json: { remove: [map.from] } })
    showResult(`${map.from} is no longer mapped`, result, () => restoreMap(map))
  })

const restoreMap = ({ from, to }: OriginMap): Promise<unknown> =>
  withErrorToast(async () => {
    const result = await request('PATCH /maps', { json: { add: [{ from, to }] } })
    showResult(`${from} is mapped again`, result)
  })

/** Allows a host. Throws a `SandboxError` if this fails. */
export async function addAllowedHost(host: string): Promise<void> {
  const result = await request('PATCH /allowed-hosts', { json: { add: [host] } })
  showResult(`${host} is allowed`, result)
}

export const allowHost = (host: string): Promise<unknown> => withErrorToast(() => addAllowedHost(host))

export const removeAllowedHost = (host: string): Promise<unknown> =>
  withErrorToast(async () => {
    const result = await request('PATCH /allowed-hosts', { json: { remove: [host] } })
    showResult(`${host} is no longer allowed`, result, () => allowHost(host))
  })

export const allowAll = (host: string): Promise<unknown> =>
  withErrorToast(async () => {
    const { allowed } = await request('POST /deliveries/allow', { json: { host } })
    const text = allowed === 0 ? `No webhook to ${host} is held` : sendingText(allowed, ` to ${host}`)
    showToast({ tone: 'plain', text })
  })

const sendingText = (count: number, where = ''): string => `Sending ${plural(count, 'held webhook')}${where}`

interface Result {
  /** The number of held webhooks that are sent because of this. */
  readonly allowed: number
  /** Warnings about a change that was made. */
  readonly notes: readonly string[]
}

function showResult(text: string, { allowed, notes }: Result, undo?: () => unknown): void {
  showToast({
    tone: allowed === 0 ? 'ok' : 'plain',
    text: allowed === 0 ? text : `${text}. ${sendingText(allowed)}`,
    ...(undo && { action: { label: 'Undo', run: undo } }),
  })
  for (const note of notes) showToast({ tone: 'warn', text: note })
}
