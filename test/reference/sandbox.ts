import { test as base } from 'vitest'
import { startReceiver } from '../support/receiver.ts'
import { NOON, openSandbox, type CreatedLink, type OpenSandbox } from '../support/sandbox.ts'

/**
 * The tests in this folder read like the API reference: one file per section, and the number of each statement in the
 * title of the test that checks it. All tests of a file share one sandbox.
 */
export const test = base
  .extend('sandbox', { scope: 'file' }, async ({}, { onCleanup }) => {
    const sandbox = await openSandbox({ now: () => new Date(NOON) })
    onCleanup(() => sandbox[Symbol.asyncDispose]())
    return sandbox
  })
  .extend('receiver', async ({}, { onCleanup }) => {
    const receiver = await startReceiver()
    onCleanup(() => receiver[Symbol.asyncDispose]())
    return receiver
  })

/** Does with a link what a customer does in the browser. Returns the answer, and does not follow its redirect. */
export const visit = (
  { submit }: Pick<OpenSandbox, 'submit'>,
  { pay_link }: Pick<CreatedLink, 'pay_link'>,
  outcome: 'pay' | 'cancel' = 'pay',
  method: 'card' | 'bank-transfer' = 'card',
): Promise<Response> => submit(pay_link, { method, outcome })

/** The message of a call that is refused. */
export async function refusal(
  { call }: Pick<OpenSandbox, 'call'>,
  operation: string,
  body: unknown,
  headers?: Record<string, string>,
): Promise<string> {
  const { envelope } = await call(operation, body, headers)
  if (envelope.ResponseCode !== 0) throw new Error(`${operation} accepted ${JSON.stringify(body)}`)
  return envelope.ResponseMsg
}
