import { isDeepStrictEqual } from 'node:util'
import { CONTROL } from '../../server/verify/calibration/probes.ts'
import type { ChangeableAnswer } from './changing-proxy.ts'

const [request] = CONTROL.requests({ recipient: undefined, answers: new Map() })

/** Whether a call is a control call of calibrate, or one that looks the same. */
export const isControlCall = (call: Pick<ChangeableAnswer, 'operation' | 'token' | 'request'>): boolean =>
  call.operation === 'createLink' &&
  !call.token?.includes('Unknown') &&
  call.token !== undefined &&
  isDeepStrictEqual(call.request, request!.body)
