import { expect, test } from 'vitest'
import { forwardedResponseHeaders } from '../../server/domain/http/proxy-headers.ts'
import type { Headers } from '../../server/domain/http/exchange.ts'

test.each<[what: string, said: Headers, status: number, method: string, gets: Headers]>([
  [
    'none',
    [['A', 'b']],
    200,
    'GET',
    [
      ['A', 'b'],
      ['content-length', '7'],
    ],
  ],
  [
    'too little',
    [
      ['Content-Length', '0'],
      ['A', 'b'],
    ],
    200,
    'GET',
    [
      ['Content-Length', '7'],
      ['A', 'b'],
    ],
  ],
  [
    'two',
    [
      ['A', 'b'],
      ['Content-Length', '7'],
      ['content-length', '50'],
    ],
    200,
    'GET',
    [
      ['A', 'b'],
      ['Content-Length', '7'],
    ],
  ],
  ['no valid number', [['content-length', '7, 8']], 404, 'POST', [['content-length', '7']]],
  ['what a body would have', [['content-length', '50']], 200, 'HEAD', [['content-length', '50']]],
  ['what a body would have', [['content-length', '50']], 304, 'GET', [['content-length', '50']]],
  ['no valid number', [['content-length', '0x5']], 200, 'HEAD', []],
  [
    'two',
    [
      ['content-length', '5'],
      ['content-length', '6'],
    ],
    304,
    'GET',
    [],
  ],
  ['what no empty answer has', [['content-length', '5']], 204, 'GET', []],
])(
  'a Content-Length is forwarded only if it is right: %s (%j with %i to %s)',
  (_what, said, status, method, gets) => {
    expect(forwardedResponseHeaders(said, status, method, 7)).toEqual(gets)
  },
)
