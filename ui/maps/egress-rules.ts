import { api, withErrorToast, catchRequestError, type RequestError } from '../api.ts'
import { plural } from '../../server/format/values.ts'
import { createResource } from '../resource.ts'
import { connection, settingsVersion } from '../session.ts'
import { showToast } from '../toasts.ts'

// These stand before the resource, which may load at once.
async function load() {
  const [maps, hosts] = await Promise.all([api.maps.$get(), api['allowed-hosts'].$get()])
  return { ...(await maps.json()), ...(await hosts.json()) }
}

/** Where notifications go: the maps there are, and the hosts that are allowed. */
export const rules = createResource(() =>
  connection.value === 'live' && settingsVersion.value >= 0 ? load() : undefined,
)

/** Both sides of a map. */
export interface Sides {
  readonly from: string
  readonly to: string
}

/** Maps an origin, in place of what it was before. Answers with why that was refused, if it was. */
export const saveMap = (map: Sides, before: string | undefined): Promise<RequestError | undefined> =>
  catchRequestError(async () => {
    const remove = before === undefined ? [] : [before]
    const answer = await api.maps.$patch({ json: { add: [map], remove } })
    tell(`${map.from} is mapped`, await answer.json())
  })

export const removeMap = (map: Sides): Promise<unknown> =>
  withErrorToast(async () => {
    const answer = await api.maps.$patch({ json: { remove: [map.from] } })
    tell(`${map.from} is mapped no longer`, await answer.json(), () => restoreMap(map))
  })

const restoreMap = ({ from, to }: Sides): Promise<unknown> =>
  withErrorToast(async () => {
    const answer = await api.maps.$patch({ json: { add: [{ from, to }] } })
    tell(`${from} is mapped again`, await answer.json())
  })

async function permit(host: string): Promise<void> {
  const answer = await api['allowed-hosts'].$patch({ json: { add: [host] } })
  tell(`${host} is allowed`, await answer.json())
}

/** Allows a host that somebody typed. Answers with why that was refused, if it was. */
export const allowHost = (host: string): Promise<RequestError | undefined> =>
  catchRequestError(() => permit(host))

/** Allows the host of a webhook, at the press of a button. */
export const allow = (host: string): Promise<unknown> => withErrorToast(() => permit(host))

export const removeAllowedHost = (host: string): Promise<unknown> =>
  withErrorToast(async () => {
    const answer = await api['allowed-hosts'].$patch({ json: { remove: [host] } })
    tell(`${host} is allowed no longer`, await answer.json(), () => allow(host))
  })

export const releaseAll = (host: string): Promise<unknown> =>
  withErrorToast(async () => {
    const answer = await api.deliveries.release.$post({ json: { host } })
    tell(`Let out to ${host}`, await answer.json())
  })

interface Outcome {
  readonly released: number
  /** What is worth a second look, though it was done. */
  readonly notes: readonly string[]
}

/** What comes of the webhooks that go is not known yet. */
function tell(what: string, { released, notes }: Outcome, undo?: () => unknown): void {
  const on = `${plural(released, 'webhook')} ${released === 1 ? 'is on its' : 'are on their'} way`
  showToast({
    tone: released === 0 ? 'ok' : 'plain',
    text: released === 0 ? what : `${what}: ${on}`,
    ...(undo && { action: { label: 'Undo', run: undo } }),
  })
  for (const text of notes) showToast({ tone: 'warn', text })
}
