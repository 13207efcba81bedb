import { isDeepStrictEqual } from 'node:util'
import { CONTROL, UNKNOWN_KEY } from '../../server/verify/calibration/probes.ts'
import type { ChangeableAnswer } from './changing-proxy.ts'

const [request] = CONTROL.requests({ recipient: undefined, answers: new Map() })

/** Whether a call is a control call of calibrate, or one that looks the same. */
export const isControlCall = (call: Pick<ChangeableAnswer, 'operation' | 'token' | 'request'>): boolean =>
  call.operation === 'createLink' &&
  call.token !== undefined &&
  call.token !== UNKNOWN_KEY &&
  isDeepStrictEqual(call.request, request!.body)
