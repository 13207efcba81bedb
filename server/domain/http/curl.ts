import type { Exchange } from './exchange.ts'

type Request = Exchange['request']

/** What belongs to one connection, or what curl works out by itself. */
const NOT_REPEATED = new Set(['host', 'connection', 'content-length', 'keep-alive', 'transfer-encoding'])

/** Writes the command that sends a request's bytes again, for any POSIX shell. */
export function curlCommand({ method, url, headers, body }: Request): string {
  const hasBody = body.size > 0
  const isText = body.encoding === 'utf8' && !body.content.includes('\0')
  const repeated = headers.filter(([name]) => !NOT_REPEATED.has(name.toLowerCase()))

  const parts = [
    `curl ${urlFlags(url)}${quote(url)}`,
    ...methodFlags(method, hasBody),
    ...repeated.map(([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
  ]
  if (hasBody) {
    // curl would add a content type of its own.
    if (!headers.some(([name]) => name.toLowerCase() === 'content-type')) parts.push(`-H 'content-type:'`)
    parts.push(isText ? `--data-raw ${quote(body.content)}` : '--data-binary @-')
  }
  const command = parts.join(' \\\n  ')
  return hasBody && !isText ? `printf %s ${quote(base64Of(body))} | base64 -d | ${command}` : command
}

/** Between single quotes a shell reads everything as it is, except the quote itself. */
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** A word of a command line, quoted where it has to be. */
export const shellWord = (text: string): string => (/^[\w.,:/@=-]+$/.test(text) ? text : quote(text))

/** Brackets and braces are patterns to curl, and dots in a path are resolved, unless it is told otherwise. */
const urlFlags = (url: string): string =>
  (/[[\]{}]/.test(url) ? '--globoff ' : '') + (/\/\.\.?(\/|$)/.test(url) ? '--path-as-is ' : '')

function methodFlags(method: string, hasBody: boolean): string[] {
  if (method === 'HEAD') return ['--head']
  const implied = hasBody ? 'POST' : 'GET'
  return method === implied ? [] : [`-X ${quote(method)}`]
}

function base64Of({ encoding, content }: Request['body']): string {
  if (encoding === 'base64') return content
  let binary = ''
  for (const byte of new TextEncoder().encode(content)) binary += String.fromCharCode(byte)
  return btoa(binary)
}
