import { type Headers } from '../domain/http/exchange.ts'
import type { Answer } from './describe-answer.ts'
import type { CalibrationProbe, ProbeRequest } from './probes.ts'

/** A request as it is sent to a service. */
export interface ServiceRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: Headers
  readonly body: string
}

/** The answer of a service, or why there is no complete one. `startedAt` is `null` if the request was not sent. */
export type ServiceResult = ({ readonly answer: Answer } | { readonly failure: string }) & {
  readonly startedAt: string | null
  readonly ms: number
}

/** One service: the real one, or a sandbox in memory. */
export interface CalibratedService {
  readonly apiKey: string
  readonly recipient: string | undefined
  send(request: ServiceRequest): Promise<ServiceResult>
}

/** A request of a probe with its result. */
export interface ProbeExchange {
  readonly probe: CalibrationProbe
  readonly step: ProbeRequest
  /** `null`: it was not sent, because an earlier answer lacks a value that it needs. */
  readonly request: ServiceRequest | null
  readonly answer: Answer | null
  /** Why there is no answer. */
  readonly failure: string | null
  /** `null`: it was not sent. */
  readonly startedAt: string | null
  readonly ms: number
}

const UNKNOWN_KEY = 'paylinkCalibrateUnknownKey000'

/** Sends the requests of a probe, one after another. */
export async function runProbe(
  probe: CalibrationProbe,
  service: CalibratedService,
): Promise<ProbeExchange[]> {
  const { recipient } = service
  const answers = new Map<string, Answer>()
  const exchanges: ProbeExchange[] = []
  for (let index = 0; ; index += 1) {
    // A body can contain what an earlier answer has returned.
    const step = probe.requests({ recipient, answers })[index]
    if (step === undefined) return exchanges
    const unsent = { probe, step, request: null, answer: null, startedAt: null, ms: 0 }
    if (step.body === undefined) {
      exchanges.push({ ...unsent, failure: 'an earlier answer lacks what it needs' })
      continue
    }
    const request = toRequest(step, service)
    const { startedAt, ms, ...result } = await service.send(request)
    const answer = 'answer' in result ? result.answer : null
    if (answer) answers.set(step.name, answer)
    const failure = 'failure' in result ? result.failure : null
    exchanges.push({ probe, step, request, answer, failure, startedAt, ms })
  }
}

function toRequest(
  { operation, method, token, contentType = 'application/json', body }: ProbeRequest,
  { apiKey }: CalibratedService,
): ServiceRequest {
  const key = token === 'none' ? undefined : token === 'unknown' ? UNKNOWN_KEY : apiKey
  return {
    method: method ?? 'POST',
    path: `/api/v2/${operation}`,
    headers: [
      ...(key === undefined ? [] : [['token', key] as const]),
      ...(method === 'GET' ? [] : [['content-type', contentType] as const]),
    ],
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }
}
