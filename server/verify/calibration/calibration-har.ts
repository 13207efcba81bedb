import { toHarRequest, toHarResponse, noResponse } from '../../domain/har/write-har.ts'
import { textBody } from '../../domain/http/exchange.ts'
import type { ProbeExchange } from './run-probe.ts'
import type { Mask } from '../../domain/secrets/mask.ts'

interface HarOptions {
  readonly origin: string
  readonly version: string
  readonly mask: Mask
}

/**
 * The exchanges of a run as an HTTP Archive with all secrets replaced. `undefined` if no secret was replaced: every request
 * contains the key, so the replacement must have failed.
 */
export function calibrationHar(
  exchanges: readonly ProbeExchange[],
  { origin, version, mask }: HarOptions,
): string | undefined {
  const entries = exchanges.flatMap((exchange) => {
    const { probe, step, request, answer, instead, failure, received = [], startedAt, ms } = exchange
    const response = answer ?? instead
    if (startedAt === null) return []
    const common = { cache: {}, comment: `${probe.name}: ${step.title}` }
    const timed = { startedDateTime: startedAt, time: ms, timings: { send: -1, wait: ms, receive: -1 } }
    if (request === null) {
      return received.map((one) => ({
        ...timed,
        request: toHarRequest(one.request),
        response: one.response ? toHarResponse(one.response) : noResponse(null),
        ...common,
      }))
    }
    return [
      {
        ...timed,
        request: toHarRequest({
          ...request,
          url: origin + request.path,
          body: textBody(mask.text(request.body)),
        }),
        response: response ? toHarResponse(response) : noResponse(failure),
        ...common,
      },
    ]
  })
  const log = { version: '1.2', creator: { name: 'paylink-sandbox', version }, entries }
  const text = `${JSON.stringify({ log }, null, 1)}\n`
  return mask.isIn(text) ? mask.text(text) : undefined
}
