import type { OriginMap } from '../../server/domain/network/origin-map.ts'
import { plural } from '../../server/contract/format/values.ts'
import { api, catchRequestError, withErrorToast, type RequestError } from './api.ts'
import { createResource } from './resource.ts'
import { canLoad } from './session.ts'
import { showToast } from '../browser/toasts.ts'

// Defined before the resource, which may load immediately.
async function load() {
  const [maps, hosts] = await Promise.all([api.maps.$get(), api['allowed-hosts'].$get()])
  return { ...(await maps.json()), ...(await hosts.json()) }
}

/** The maps and the allowed hosts. */
export const egressRules = createResource(() => (canLoad() ? load() : undefined))

/** Saves a map, in place of the map from `before` if given. Returns the error if that fails. */
export const saveMap = (map: OriginMap, before: string | undefined): Promise<RequestError | undefined> =>
  catchRequestError(async () => {
    const remove = before === undefined ? [] : [before]
    const response = await api.maps.$patch({ json: { add: [map], remove } })
    showResult(`${map.from} is mapped`, await response.json())
  })

export const removeMap = (map: OriginMap): Promise<unknown> =>
  withErrorToast(async () => {
    const response = await api.maps.$patch({ json: { remove: [map.from] } })
    showResult(`${map.from} is no longer mapped`, await response.json(), () => restoreMap(map))
  })

const restoreMap = ({ from, to }: OriginMap): Promise<unknown> =>
  withErrorToast(async () => {
    const response = await api.maps.$patch({ json: { add: [{ from, to }] } })
    showResult(`${from} is mapped again`, await response.json())
  })

/** Throws a `RequestError` if that fails. */
export async function addAllowedHost(host: string): Promise<void> {
  const response = await api['allowed-hosts'].$patch({ json: { add: [host] } })
  showResult(`${host} is allowed`, await response.json())
}

export const allowHost = (host: string): Promise<unknown> => withErrorToast(() => addAllowedHost(host))

export const removeAllowedHost = (host: string): Promise<unknown> =>
  withErrorToast(async () => {
    const response = await api['allowed-hosts'].$patch({ json: { remove: [host] } })
    showResult(`${host} is no longer allowed`, await response.json(), () => allowHost(host))
  })

export const releaseAll = (host: string): Promise<unknown> =>
  withErrorToast(async () => {
    const response = await api.deliveries.release.$post({ json: { host } })
    showResult(`Released to ${host}`, await response.json())
  })

interface Result {
  /** How many held webhooks are sent now. */
  readonly released: number
  /** Warnings about a change that was made. */
  readonly notes: readonly string[]
}

function showResult(text: string, { released, notes }: Result, undo?: () => unknown): void {
  showToast({
    tone: released === 0 ? 'ok' : 'plain',
    text: released === 0 ? text : `${text}: sending ${plural(released, 'webhook')}`,
    ...(undo && { action: { label: 'Undo', run: undo } }),
  })
  for (const note of notes) showToast({ tone: 'warn', text: note })
}
