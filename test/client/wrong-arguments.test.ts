import { expect, test } from 'vitest'
import { startSandbox } from '../../server/package/index.ts'

test('wrong arguments are rejected with one sentence that says why', async () => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.createAccount()
  /** Passes a value that TypeScript rejects but JavaScript can pass. */
  const wrong = (value: unknown) => value as never

  const refused: readonly [call: () => Promise<unknown>, why: string][] = [
    [() => sandbox.createAccount(wrong('X')), `an object like { name: 'Bakery' }, not "X".`],
    [() => sandbox.clock.advance(wrong('1m')), `{ to: 'next-month' }, not "1m".`],
    [() => sandbox.clock.set(new Date('soon')), 'or a Date, not an invalid Date.'],
    [() => shop.replay(wrong(undefined)), 'Pass a webhook as its id, '],
    [() => shop.replay(wrong(Promise.resolve(1))), 'not as a promise (did you forget await?).'],
    [() => shop.pay(wrong(undefined)), 'or an object with its id, not as undefined.'],
    [() => shop.pay(wrong(Promise.resolve({ id: 1 }))), 'not as a promise (did you forget await?).'],
    [() => shop.pay(wrong({ payId: 7 })), 'not as an object with payId.'],
    [() => shop.waitForWebhook({ link: wrong({}) }), 'not as an object with no fields.'],
  ]
  for (const [call, why] of refused) {
    const error = await call().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toContain(why)
  }
})

test.each([['500'], [{ code: 500 }], [700], [100], [undefined], [{ status: '500' }], [{ body: {} }], [null]])(
  'receiver: rejects the reply %j',
  async (reply) => {
    await using sandbox = await startSandbox()
    const webhooks = await sandbox.receiver()

    expect(() => webhooks.reply(reply as never)).toThrow(/^A reply is a status from 200 to 599, .*, not /)
    expect(() =>
      webhooks.reply(200, { status: 503, headers: { 'retry-after': '1' } }, () => 200),
    ).not.toThrow()
  },
)
