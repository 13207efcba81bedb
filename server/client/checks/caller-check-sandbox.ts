import type { CallerSandbox } from '../../verify/caller-check/caller-sandbox.ts'
import type { Request } from '../request.ts'
import type { SandboxPort } from '../../verify/app/run/sandbox-port.ts'
import { addCallFault, KEEP_RUNNING, withCheckError } from './receiver-check-sandbox.ts'

interface Dependencies {
  readonly request: Request
  readonly port: SandboxPort
}

/** What a caller check needs of a sandbox, provided by the control API. */
export const createCallerSandbox = ({ request, port }: Dependencies): CallerSandbox => ({
  heldReason: (url, by = 'visit') => port.heldReason(url, by),
  newestSeq: port.newestSeq,
  waitForLink: port.waitForLink,
  link: port.link,
  seenAfter: port.seenAfter,
  refundCalls: port.refundCalls,
  keyFinder: port.keyFinder,
  refusalAfter: port.refusalAfter,
  countFaults: (id) =>
    withCheckError('Reading the faults', KEEP_RUNNING, async () => {
      const { faults } = await request('GET /faults')
      return faults.filter(
        ({ on, accountId, remaining }) =>
          on === 'api' && (accountId === null || accountId === id) && remaining !== 0,
      ).length
    }),
  isClockRunning: () =>
    withCheckError('Reading the clock', KEEP_RUNNING, async () => {
      return (await request('GET /clock')).mode === 'running'
    }),
  addFault: (account, script, times) => addCallFault(request, account, { script, times }),
  pay: port.pay,
  cancel: ({ id }) =>
    request('POST /links/:ref/cancel', { param: { ref: String(id) }, json: { browser: 'closes' } }).then(
      () => true,
      () => false,
    ),
})
