import fc from 'fast-check'
import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { operationRequests } from '../../fuzz/requests.ts'
import { parseResponse, send } from '../../fuzz/send.ts'
import type { EventView } from '../../../server/contract/views.ts'
import type { Exchange } from '../../../server/domain/http/exchange.ts'
import { decodeBody } from '../../../server/domain/http/exchange.ts'
import { MIB } from '../../../server/domain/http/limits.ts'
import { documents } from '../../support/documents.ts'
import { startRawReceiver } from '../../support/raw-receiver.ts'
import { openSandbox, shop, type OpenSandbox } from '../../support/sandbox.ts'
import { parseRawAnswer, sendRaw } from '../../support/send-raw.ts'
import { sized } from '../../support/size.ts'
import { startTap } from '../../support/tap.ts'
import { test } from '../../support/test.ts'

/** At full size, 2,000 exchanges of each kind are compared. */
const RUNS = sized({ full: 500, small: 150 })
const BATCHES = Array.from({ length: sized({ full: 4, small: 1 }) }, (_none, batch) => batch)
const optionsOf = (batch: number) => ({ numRuns: RUNS, seed: 4400 + batch })

/** Header fields that belong to a single connection. The sandbox sets them for each caller. */
const OF_ONE_CONNECTION = /^(connection|keep-alive|transfer-encoding|content-length):/i

/** The part of an answer that a caller must get unchanged. */
function essence(raw: Buffer, method: string) {
  const { first, headers } = parseRawAnswer(raw)
  const { body, isComplete } = parseResponse(raw, method)
  return {
    first,
    headers: headers.filter((line) => !OF_ONE_CONNECTION.test(line)),
    body: hash(body),
    isComplete,
  }
}

/** Large bodies are compared by their hash, which is much faster than byte by byte. */
const hash = (bytes: Uint8Array): string =>
  `${bytes.length} bytes, ${createHash('sha256').update(bytes).digest('hex')}`

type Recorded = EventView & { readonly exchange: Exchange | null }

/** The `seq` of the newest event. The journal of a sandbox with an upstream contains only calls. */
const headOf = async (sandbox: OpenSandbox): Promise<number> =>
  (await read<{ head: number }>(sandbox, '/events?limit=1')).head

/** Reads from the control API, without comparing the answer with its document, which would take most of the time. */
const read = async <Answer>({ url }: OpenSandbox, path: string): Promise<Answer> =>
  (await (await fetch(`${url}/_sandbox/v1${path}`)).json()) as Answer

test.for(BATCHES)(
  'any answer of another sandbox passes byte for byte, and is recorded once (batch %i)',
  async (batch) => {
    await using service = await openSandbox({
      behaviors: { errorStatus: 'http', requestBody: 'json-or-form' },
    })
    await service.control('POST', '/faults', {
      on: 'api',
      script: 'pass,pass,pass,500,truncate,empty,html,code-as-text,reset,rate-limit:1s',
      times: 'always',
    })
    await using tap = await startTap(service.url)
    await using mirror = await openSandbox({ upstream: tap.url, keep: 0 })
    const { api } = await documents()
    // An answer may arrive before the call is recorded, because nothing waits for this. A browser gets further header fields
    // (`test/journeys/foreign-answers.test.ts`).
    const wellFormed = operationRequests([api.document]).filter(
      ({ isWellFormed, headers }) =>
        isWellFormed &&
        !headers.some(([name, content]) => /^sec-fetch-/i.test(name) || /text\/html|^Mozilla/.test(content)),
    )
    let head = await headOf(mirror)
    let passed = 0
    let failed = 0

    await fc.assert(
      fc.asyncProperty(wellFormed, async (request) => {
        const [sentBefore, headBefore] = [tap.answers.length, head]
        const { raw, hasTimedOut } = await send(mirror.url, request)
        expect(hasTimedOut).toBe(false)
        const sent = tap.answers.slice(sentBefore)
        head = await headOf(mirror)
        // The sandbox refuses some calls itself, such as those with another Host. Some requests contain a second request.
        if (sent.length !== 1) return
        expect(head).toBe(headBefore + 1)
        const event = await read<Recorded>(mirror, `/events/${head}`)
        const upstream = essence(sent[0]!, request.method)
        const caller = essence(raw, request.method)
        if (sent[0]!.length === 0 || !upstream.isComplete) {
          failed += 1
          expect(caller.first).toMatch(/^HTTP\/1\.1 502 /)
          expect(event).toMatchObject({ upstreamError: expect.any(String), status: 502 })
        } else {
          passed += 1
          expect(caller).toEqual(upstream)
          expect(hash(decodeBody(event.exchange!.response!.body))).toBe(upstream.body)
        }
      }),
      optionsOf(batch),
    )
    expect([passed > RUNS / 2, failed > RUNS / 20]).toEqual([true, true])
    expect(mirror.problems).toEqual([])
  },
)

const token = fc.stringMatching(/^[A-Za-z][\w!#$%&'*.^`|~-]{0,20}$/)
/** The bytes of a header value, without spaces at both ends. */
const value = fc.stringMatching(/^([!-~\xa1-\xff]([ -~\xa1-\xff]{0,60}[!-~\xa1-\xff])?)?$/)
const body = fc.oneof(
  { weight: 50, arbitrary: fc.uint8Array({ maxLength: 2_000 }) },
  { weight: 50, arbitrary: fc.json().map((text) => new TextEncoder().encode(text)) },
  { weight: 2, arbitrary: fc.constant(new Uint8Array()) },
  { weight: 1, arbitrary: fc.constant(new Uint8Array(2 * MIB).fill(120)) },
)
/** These header fields would describe the connection or its body. */
const NOT_GENERATED =
  /^(connection|keep-alive|transfer-encoding|content-length|te|trailer|upgrade|proxy-.*|strict-transport-security|alt-svc|date|__proto__)$/i

const answers = fc.record({
  status: fc.integer({ min: 200, max: 599 }),
  reason: fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/),
  headers: fc.array(
    fc.oneof(
      fc.tuple(token, value),
      fc.constantFrom(
        ['Content-Encoding', 'gzip'],
        ['Content-Type', 'application/json'],
        ['Set-Cookie', 'a=1'],
        ['Location', '/elsewhere'],
      ),
    ),
    { maxLength: 8 },
  ),
  body,
  isChunked: fc.boolean(),
})

test.for(BATCHES)('any answer of any server passes byte for byte (batch %i)', async (batch) => {
  let next: typeof answers extends fc.Arbitrary<infer Value> ? Value : never
  await using service = await startRawReceiver((response) => {
    const { status, reason, headers, body: bytes, isChunked } = next
    const length = isChunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(bytes.length)]
    response.sendDate = false
    response.writeHead(status, reason, [
      ...headers.filter(([name]) => !NOT_GENERATED.test(name!)).flat(),
      // Neither status has a body.
      ...(status === 204 || status === 304 ? [] : length),
    ] as string[])
    response.end(bytes)
  })
  await using tap = await startTap(service.origin)
  await using mirror = await openSandbox({ upstream: tap.url })
  const headBefore = await headOf(mirror)
  const call = `POST /api/v2/createLink HTTP/1.1\r\nHost: localhost\r\ntoken: ${shop.apiKey}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`

  await fc.assert(
    fc.asyncProperty(answers, async (answer) => {
      next = answer
      const before = tap.answers.length
      const caller = await sendRaw(mirror.url, call)
      expect(tap.answers).toHaveLength(before + 1)
      expect(essence(caller, 'POST')).toEqual(essence(tap.answers[before]!, 'POST'))
    }),
    optionsOf(batch),
  )
  expect((await headOf(mirror)) - headBefore).toBe(service.received.length)
  expect(mirror.problems).toEqual([])
})
