import { encodeBase64, findHeader } from './exchange.ts'
import type { Exchange } from './exchange.ts'

type Request = Exchange['request']

/** What belongs to one connection, or what curl works out by itself. */
const OMITTED_HEADERS = new Set(['host', 'connection', 'content-length', 'keep-alive', 'transfer-encoding'])

/** Writes the command that sends a request's bytes again, for any POSIX shell. */
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
    // curl would add a content type of its own.
    if (findHeader(headers, 'content-type') === undefined) parts.push(`-H 'content-type:'`)
    parts.push(isText ? `--data-raw ${shellQuote(body.content)}` : '--data-binary @-')
  }
  const command = parts.join(' \\\n  ')
  return hasBody && !isText ? `printf %s ${shellQuote(toBase64(body))} | base64 -d | ${command}` : command
}

/** Between single quotes a shell reads everything as it is, except the quote itself. */
const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** A word of a command line, quoted where it has to be. */
export const quoteIfNeeded = (text: string): string => (/^[\w.,:/@=-]+$/.test(text) ? text : shellQuote(text))

/** Brackets and braces are patterns to curl, and dots in a path are resolved, unless it is told otherwise. */
const urlFlags = (url: string): string =>
  (/[[\]{}]/.test(url) ? '--globoff ' : '') + (/\/\.\.?(\/|$)/.test(url) ? '--path-as-is ' : '')

function methodFlags(method: string, hasBody: boolean): string[] {
  if (method === 'HEAD') return ['--head']
  const defaultMethod = hasBody ? 'POST' : 'GET'
  return method === defaultMethod ? [] : [`-X ${shellQuote(method)}`]
}

const toBase64 = ({ encoding, content }: Request['body']): string =>
  encoding === 'base64' ? content : encodeBase64(new TextEncoder().encode(content))
