import { api } from './api.ts'
import { createResource } from './resource.ts'
import { connection } from './session.ts'

async function load() {
  const response = await api.info.$get()
  return response.json()
}

export const sandboxInfo = createResource(() => (connection.value === 'live' ? load() : undefined))
