import { spawnSync } from 'node:child_process'
import { describe, expect } from 'vitest'
import { callerCases } from '../../../server/verify/caller-check/cases.ts'
import { connectSandbox } from '../../../server/client/connect-sandbox.ts'
import { startCallerProgram } from '../../support/caller.ts'
import { test } from '../../support/test.ts'

const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).status === 0

const programs = {
  Python: ['python3', 'caller.py'],
  PHP: ['php', '-S', '127.0.0.1:0', 'caller.php'],
} as const

describe('example apps', () => {
  for (const [language, command] of Object.entries(programs)) {
    test.skipIf(process.platform === 'win32' || !isInstalled(command[0]))(
      `the example in ${language} passes every case of both checks`,
      async ({ sandbox, folder }) => {
        const handle = await connectSandbox(sandbox.url)
        const { env } = await handle.createAccount()
        await using caller = await startCallerProgram(command, {
          ...env,
          PORT: '0',
          SERVICE_TIMEOUT_MS: '5000',
          SHOP_DIR: folder.path,
          PHP_CLI_SERVER_WORKERS: '4',
        })
        const state = { stateUrl: caller.stateUrl, countPointer: '/fulfilled' }
        const paidText = 'Your order is paid'
        const asCaller = await handle.checkCaller(caller.orderUrl, { ...state, paidText })
        expect(asCaller.results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
        expect(asCaller.passed).toBe(callerCases.length)

        const asReceiver = await handle.check(caller.receiver, {
          ...state,
          orderUrl: caller.orderUrl,
          orderBody: '{"order":"{order}","amount":{amount},"note":"{note}"}',
          timeoutMs: 60_000,
          skip: ['success-after-refund', 'killed-after-answer'],
        })
        expect(asReceiver.results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
        expect(asReceiver.passed).toBeGreaterThan(50)
      },
    )
  }
})
