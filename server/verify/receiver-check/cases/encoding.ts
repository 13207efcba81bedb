import type { CheckCase } from '../check-case.ts'
import { SLOW_MS } from '../../app/run/time-limit.ts'
import { sendJsonFields } from '../scenarios/json-fields.ts'
import { sendSlowJson } from '../scenarios/notes.ts'

export const encodingCases = [
  {
    name: 'form-encoded-brackets',
    group: 'encoding',
    title: 'A form with percent-encoded brackets (data%5Bpay_id%5D)',
    why: 'Read data[pay_id], data[amount], data[user_id] and data[status] from this form.',
    steps: [{ send: { encoding: 'form' } }],
    finalOrder: 'paid',
    provesEncoding: 'form',
    isQuick: true,
  },
  {
    name: 'form-literal-brackets',
    group: 'encoding',
    title: 'A form with literal brackets (data[pay_id]), and spaces as %20',
    why: 'Read both spellings. The service may send either.',
    steps: [{ send: { encoding: 'form', brackets: 'literal' } }],
    finalOrder: 'paid',
  },
  {
    name: 'form-charset',
    group: 'encoding',
    title: 'A form whose Content-Type ends with ; charset=utf-8',
    why: 'Ignore what follows the semicolon.',
    steps: [{ send: { encoding: 'form', charset: 'utf-8' } }],
    finalOrder: 'paid',
  },
  {
    name: 'json',
    group: 'encoding',
    title: 'The webhook as JSON',
    why: 'Read both forms and JSON. The API reference mentions both.',
    steps: [{ send: { encoding: 'json' } }],
    finalOrder: 'paid',
    provesEncoding: 'json',
  },
  {
    name: 'json-charset',
    group: 'encoding',
    title: 'JSON whose Content-Type ends with ; charset=utf-8',
    why: 'Ignore what follows the semicolon.',
    steps: [{ send: { encoding: 'json', charset: 'utf-8' } }],
    finalOrder: 'paid',
  },
  {
    name: 'slow-body',
    group: 'encoding',
    title: `A body that arrives in pieces over ${SLOW_MS / 1000} s`,
    why: 'Read the whole body before you parse it.',
    steps: [{ send: { slowMs: SLOW_MS } }],
    finalOrder: 'paid',
  },
  {
    name: 'slow-json',
    group: 'encoding',
    title: `JSON with emoji in its note, in pieces over ${SLOW_MS / 1000} s`,
    why: 'A piece can end inside a character. Join the bytes before you decode them.',
    run: sendSlowJson,
    needs: ['state', 'notes'],
  },
  {
    name: 'json-fields',
    group: 'encoding',
    title: 'JSON with amounts like 8.2, with the status success, with line breaks, and with a cancel',
    why: 'Parse JSON with a JSON parser, and handle it like a form.',
    run: sendJsonFields,
    needs: ['state'],
  },
] as const satisfies readonly CheckCase[]
