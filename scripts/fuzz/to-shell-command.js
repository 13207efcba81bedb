/**
 * Returns a shell command that sends a request: curl, or the raw bytes by nc if curl cannot send it.
 *
 * @param {string} url
 * @param {import('./http-request.js').Request} request
 * @returns {string}
 */
export function toShellCommand(url, { isWellFormed, method, target, headers, body, parts }) {
  if (!isWellFormed) {
    const { hostname, port } = new URL(url)
    return `echo ${Buffer.concat([...parts]).toString('base64')} | base64 -d | nc -q 5 ${hostname} ${port}`
  }
  const headerFlags = headers
    .filter(([name]) => !['Connection', 'Content-Length', 'Transfer-Encoding'].includes(name))
    .map(([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`)
  const isText = body.equals(Buffer.from(body.toString()))
  const data =
    body.length === 0 ? [] : isText ? [`--data-binary ${quote(body.toString())}`] : ['--data-binary @-']
  const command = ['curl -i --path-as-is -X', method, ...headerFlags, ...data, quote(url + target)].join(' ')
  return isText ? command : `echo ${body.toString('base64')} | base64 -d | ${command}`
}

/** @param {string} text */
function quote(text) {
  if (/^[\x20-\x7e]*$/.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`
  const escaped = [...Buffer.from(text)]
    .map((byte) => {
      if (byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c) return String.fromCharCode(byte)
      return `\\x${byte.toString(16).padStart(2, '0')}`
    })
    .join('')
  return `$'${escaped}'`
}
