import { expect, test } from 'vitest'
import { runInstalled } from '../support/installed.ts'

const told = {
  code: 0,
  said: expect.stringMatching(/The link is already paid[^]*Everything happened as it should\.\n/),
}

test.skipIf(process.platform === 'win32')(
  'the bash recipe makes a payment and waits for its webhook',
  async () => {
    expect(await runInstalled('recipes/bash', ['bash', 'story.sh'])).toEqual(told)
  },
)

test.skipIf(process.platform === 'win32')(
  'the bash recipe with curl starts a sandbox, makes a payment and waits for its webhook',
  async () => {
    const run = ['paylink-sandbox', 'exec', '--', 'bash', 'story-with-curl.sh'] as const
    expect(await runInstalled('recipes/bash', run)).toEqual(told)
  },
)
