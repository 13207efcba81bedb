import { request } from './api.ts'
import { createResource } from './resource.ts'
import { connection } from './session.ts'

async function load() {
  return request('GET /info')
}

export const sandboxInfo = createResource(() => (connection.value === 'live' ? load() : undefined))
