/**
 * Whether a body contains a text, in upper or lower case. The body is searched both as it was sent and with the escapes of a form
 * or of JSON decoded.
 */
export function bodyContains(body: string, searchText: string): boolean {
  const text = body.toLowerCase()
  const lower = searchText.toLowerCase()
  if (text.includes(lower)) return true
  const isForm = /%[\da-f]{2}|\+/.test(text)
  const isEscaped = text.includes('\\')
  if (!isForm && !isEscaped) return false
  const decoded = isForm ? decodeFormText(body) : body
  return (isEscaped || decoded.includes('\\') ? unescapeJson(decoded) : decoded).toLowerCase().includes(lower)
}

/** Decodes each group of escapes that is valid UTF-8, and leaves all others as they are. */
const decodeFormText = (text: string): string =>
  text.replaceAll('+', ' ').replace(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return escapes
    }
  })

const unescapeJson = (text: string): string =>
  text.replace(/\\(?:u([\da-f]{4})|(["\\/]))/gi, (_escape, code: string | undefined, character: string) =>
    code === undefined ? character : String.fromCharCode(Number.parseInt(code, 16)),
  )

/** The sequences of letters and digits in a text, which stay the same when the text is encoded. */
export const unescapedParts = (text: string): readonly string[] => text.match(/[a-z\d]+/gi) ?? []
