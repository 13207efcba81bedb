import { expect } from 'vitest'
import { startCuttingProxy } from './cutting-proxy.ts'
import { newSchema, postgresUrl } from './postgres.ts'
import { openSandbox, recipients, shop, type OpenSandbox } from './sandbox.ts'

/** A sandbox in a new schema, behind a proxy that can cut its connection. */
export async function openBehindProxy(server = postgresUrl ?? '') {
  const schema = newSchema(server)
  const proxy = await startCuttingProxy(server)
  const sandbox = await openSandbox({ db: schema.url.replace(server, proxy.url) })
  return {
    proxy,
    sandbox,
    schema,
    async [Symbol.asyncDispose]() {
      await sandbox.close()
      await proxy[Symbol.asyncDispose]()
      await schema[Symbol.asyncDispose]()
    },
  }
}

/** The text of the answer to a call that fails: with 500, or with 503 if this process no longer leads. */
export async function failingCall({ url }: OpenSandbox): Promise<string> {
  const response = await fetch(`${url}/api/v2/createSplitLink`, {
    method: 'POST',
    headers: { token: shop.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 100, recipients }),
  })
  const text = await response.text()
  const isLost = text.includes('another sandbox has used its schema')
  expect({ status: response.status, text }).toMatchObject({ status: isLost ? 503 : 500 })
  expect(response.headers.get('retry-after')).toBe(isLost ? '1' : null)
  return text
}

export async function linkCount(sandbox: OpenSandbox): Promise<number> {
  const { answer } = await sandbox.control('GET', '/links')
  return answer.links.length
}
