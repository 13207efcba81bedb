import type { Exchange } from '../../server/domain/http/exchange.ts'

type Request = Exchange['request']

/** Headers that the copied code need not contain, because its client sets them. */
const OWN_HEADERS = /^(host|content-length|connection|transfer-encoding|accept-encoding)$/i

/** A request as code that sends the same bytes. */
export function requestCode(format: CodeFormat, request: Request): string {
  const headers = request.headers.filter(([name]) => !OWN_HEADERS.test(name))
  return writers[format](request, headers)
}

type Writer = (request: Request, headers: Request['headers']) => string

export type CodeFormat = 'fetch' | 'python' | 'php' | 'vitest'

const writers: Readonly<Record<CodeFormat, Writer>> = {
  fetch: (request, headers) => `const response = ${fetchCall(request, headers)}
console.log(response.status, await response.text())
`,

  vitest: (request, headers) => `import { expect, test } from 'vitest'

test(${quote(`${request.method} ${new URL(request.url).pathname} answers 2xx`)}, async () => {
  const response = ${fetchCall(request, headers).replaceAll('\n', '\n  ')}
  expect(response.status).toBeGreaterThanOrEqual(200)
  expect(response.status).toBeLessThan(300)
})
`,

  python: ({ method, url, body }, headers) =>
    `import base64
import requests

response = requests.request(
    ${quote(method)},
    ${quote(url)},
    headers={
${headers.map(([name, value]) => `        ${quote(name)}: ${quote(value)},`).join('\n')}
    },
    data=${body.encoding === 'base64' ? `base64.b64decode(${quote(body.content)})` : `${quote(body.content)}.encode()`},
    allow_redirects=False,
)
print(response.status_code, response.text)
`.replace(body.encoding === 'base64' ? '' : 'import base64\n', ''),

  php: ({ method, url, body }, headers) => `<?php
$curl = curl_init(${phpQuote(url)});
curl_setopt_array($curl, [
    CURLOPT_CUSTOMREQUEST => ${phpQuote(method)},
    CURLOPT_HTTPHEADER => [
${headers.map(([name, value]) => `        ${phpQuote(`${name}: ${value}`)},`).join('\n')}
    ],
    CURLOPT_POSTFIELDS => ${body.encoding === 'base64' ? `base64_decode(${phpQuote(body.content)})` : phpQuote(body.content)},
    CURLOPT_RETURNTRANSFER => true,
]);
echo curl_exec($curl), PHP_EOL, curl_getinfo($curl, CURLINFO_RESPONSE_CODE), PHP_EOL;
`,
}

/** JSON quotes are also valid in JavaScript and Python. */
const quote = (text: string): string => JSON.stringify(text)

const phpQuote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

function fetchCall({ method, url, body }: Request, headers: Request['headers']): string {
  const content =
    body.encoding === 'base64'
      ? `Uint8Array.from(atob(${quote(body.content)}), (byte) => byte.charCodeAt(0))`
      : quote(body.content)
  return `await fetch(${quote(url)}, {
  method: ${quote(method)},
  headers: [
${headers.map(([name, value]) => `    [${quote(name)}, ${quote(value)}],`).join('\n')}
  ],
  redirect: 'manual',${body.size === 0 ? '' : `\n  body: ${content},`}
})`
}
