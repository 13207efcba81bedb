import { expect, test } from 'vitest'
import { guides } from '../../server/docs/guides/guides.ts'
import { startReceiver } from '../support/receiver.ts'
import { runDocument } from '../support/run-document.ts'

test.skipIf(process.platform === 'win32').each(guides.map(({ name, text }) => ({ name, text })))(
  'every command and test of the guide $name works as it stands there',
  async ({ name, text }) => {
    await using receiver = await startReceiver()
    expect(await runDocument(name, text, Number(new URL(receiver.url).port))).toEqual([])
  },
)
