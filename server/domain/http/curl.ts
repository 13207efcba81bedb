import { encodeBase64, findHeader } from './exchange.ts'
import type { Exchange } from './exchange.ts'

type Request = Exchange['request']

/** Header fields that belong to one connection, or that curl sets itself. */
const OMITTED_HEADERS = new Set(['host', 'connection', 'content-length', 'keep-alive', 'transfer-encoding'])

/** The curl command that sends the same bytes again, in any POSIX shell. */
export function curlCommand({ method, url, headers, body }: Request): string {
  const hasBody = body.size > 0
  const isText = body.encoding === 'utf8' && !body.content.includes('\0')
  const sentHeaders = headers.filter(([name]) => !OMITTED_HEADERS.has(name.toLowerCase()))

  const parts = [
    `curl ${urlFlags(url)}${shellQuote(url)}`,
    ...methodFlags(method, hasBody),
    ...sentHeaders.map(
      ([name, value]) => `-H ${shellQuote(value === '' ? `${name};` : `${name}: ${value}`)}`,
    ),
  ]
  if (hasBody) {
    // Without this, curl would add its own content type.
    if (findHeader(headers, 'content-type') === undefined) parts.push(`-H 'content-type:'`)
    parts.push(isText ? `--data-raw ${shellQuote(body.content)}` : '--data-binary @-')
  }
  const command = parts.join(' \\\n  ')
  return hasBody && !isText ? `printf %s ${shellQuote(toBase64(body))} | base64 -d | ${command}` : command
}

/** Quotes a text for the shell. Inside single quotes, only the quote itself needs escaping. */
const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** A word of a command line. Quoted if necessary. */
export const quoteIfNeeded = (text: string): string => (/^[\w.,:/@=-]+$/.test(text) ? text : shellQuote(text))

/** By default, curl expands brackets and braces and resolves dots in the path. These flags turn that off. */
const urlFlags = (url: string): string =>
  (/[[\]{}]/.test(url) ? '--globoff ' : '') + (/\/\.\.?(\/|$)/.test(url) ? '--path-as-is ' : '')

function methodFlags(method: string, hasBody: boolean): string[] {
  if (method === 'HEAD') return ['--head']
  const defaultMethod = hasBody ? 'POST' : 'GET'
  return method === defaultMethod ? [] : [`-X ${shellQuote(method)}`]
}

const toBase64 = ({ encoding, content }: Request['body']): string =>
  encoding === 'base64' ? content : encodeBase64(new TextEncoder().encode(content))
