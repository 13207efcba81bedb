import { api } from '../api.ts'
import { createResource } from '../resource.ts'
import { connection } from '../session.ts'

async function load() {
  const answer = await api.info.$get()
  return answer.json()
}

/** What the sandbox says of itself. */
export const info = createResource(() => (connection.value === 'live' ? load() : undefined))
