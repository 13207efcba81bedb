import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { BehaviorChoices } from '../../../server/domain/behaviors/behavior.ts'
import { NOON, openSandbox, type OpenSandbox } from '../../support/sandbox.ts'

type Step = { readonly call: string; readonly body: unknown } | { readonly control: string }

interface Case {
  readonly name: string
  readonly given?: readonly Step[]
  readonly behaviors?: BehaviorChoices
  readonly request: {
    readonly operation: string
    readonly headers: Record<string, string>
    readonly body: unknown
  }
  readonly answer: { readonly status: number; readonly body: unknown }
}

const folder = new URL('../../../fixtures/contract/', import.meta.url)

describe.each(readdirSync(folder))('%s', (file) => {
  const cases = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Case[]

  test.each(cases.map((one) => [one.name, one] as const))(
    '%s',
    async (_name, { given, behaviors, request, answer }) => {
      await using sandbox = await openSandbox({ now: () => new Date(NOON), behaviors: behaviors ?? {} })
      for (const step of given ?? []) await take(sandbox, step)

      const response = await fetch(`${sandbox.url}/api/v2/${request.operation}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...request.headers },
        body: JSON.stringify(request.body),
      })

      const text = (await response.text()).replaceAll(sandbox.url, '{base_url}')
      expect({ status: response.status, body: JSON.parse(text) }).toEqual(answer)
    },
  )
})

async function take(sandbox: OpenSandbox, step: Step): Promise<void> {
  if ('call' in step) {
    const { envelope } = await sandbox.call(step.call, step.body)
    expect(envelope).toMatchObject({ ResponseCode: 1 })
    return
  }
  const [method = '', path = ''] = step.control.split(' ')
  expect((await sandbox.rawControl(method, path)).status).toBe(200)
}
