import { Hono } from 'hono'
import { once } from 'node:events'
import { expect } from 'vitest'
import type { NodeEnv } from '../../server/platform/http/node-env.ts'
import { createOwnRequests } from '../../server/runtime/own-requests.ts'
import { test } from '../support/test.ts'

test('the sample story calls the sandbox without a connection', async ({ sandbox }) => {
  await sandbox.control('POST', '/seed/sample-story', {})

  const { answer } = await sandbox.control('GET', '/events?type=api.request')
  const call = await sandbox.control('GET', `/events/${answer.events[0]!.seq}`)
  const names = call.answer.exchange!.request.headers.map(([name]) => name)
  expect(names).toEqual(['host', 'token', 'content-type', 'content-length'])
})

test('a sandbox that stops ends its requests to itself, and makes no more', async () => {
  const app = new Hono<NodeEnv>().get('/wait', async (c) => {
    await once(c.req.raw.signal, 'abort')
    return c.text('ended')
  })
  const own = createOwnRequests(() => app)
  const waiting = own.fetch('http://127.0.0.1/wait')

  own.stop()

  expect(await (await waiting).text()).toBe('ended')
  await expect(own.fetch('http://127.0.0.1/wait')).rejects.toThrow('the sandbox was stopped')
})
