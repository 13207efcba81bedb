import type { Exchange } from '../../domain/http/exchange.ts'
import { roundMs } from '../../domain/time/berlin-time.ts'
import { recordAnswer } from '../operations/tunnels/record-answer.ts'
import type { Store } from '../../store/store.ts'
import { decodeFrame, type SandboxMessage } from '../../platform/tunnel-protocol.ts'
import type { ListenerConnection } from './connection.ts'
import { forwardedRequest, keptBody, whyNoAnswer, type AnswerMessage } from './listener-answer.ts'
import type { SentRequest } from './request-queues.ts'
import type { WaitingCallers } from './waiting-callers.ts'

/** Reads the messages of listeners. Passes responses on to the callers that wait for them, and records them. */
export function createMessageReader(
  store: Store,
  callers: WaitingCallers,
  onError: (error: unknown) => void,
): (connection: ListenerConnection, data: Buffer) => void {
  function handleAnswer(
    connection: ListenerConnection,
    sent: SentRequest,
    message: AnswerMessage,
    bytes: Uint8Array,
  ): void {
    const error = whyNoAnswer(message)
    if (message.type === 'answer' && error === null) {
      const { status, headers } = message
      const first = callers.onAnswer(sent.id, { by: 'listener', status, headers, bytes })
      const response = { status, headers, body: keptBody(bytes) }
      record(connection, sent, { first, status, error }, response)
      return
    }
    record(connection, sent, { first: false, status: null, error }, null)
    callers.onFailure(sent.id, connection, error ?? '')
  }

  /** Records the response of a listener. The caller does not wait for this. */
  function record(
    { connected }: ListenerConnection,
    { epoch, seq, possibleDuplicate, sentAt }: SentRequest,
    answer: { readonly first: boolean; readonly status: number | null; readonly error: string | null },
    response: Exchange['response'],
  ): void {
    const ms = roundMs(performance.now() - sentAt)
    store
      .transact((work) =>
        recordAnswer(
          work,
          { epoch, seq, listener: connected.id, ms, possibleDuplicate, ...answer },
          (captured) => ({ request: forwardedRequest(connected, captured), response }),
        ),
      )
      .catch(onError)
  }

  return (connection, data) => {
    const frame = decodeFrame<SandboxMessage>(data)
    const message = frame?.message
    if (message?.type === 'target') connection.isTargetUp = message.isUp === true
    else if (message?.type === 'failed' || message?.type === 'answer') {
      // Accepts responses only to requests of this connection, because a listener could name the requests of others.
      const sent = connection.takeAnswered(message.id)
      if (sent) handleAnswer(connection, sent, message, frame!.bytes)
    } else connection.socket.close(1007, 'not a frame of a listener')
  }
}
