/** A bracket, a comma, a colon, or a whole value. A string has no control characters, and escapes quotes and backslashes. */
const TOKEN =
  /[{}[\]:,]|"(?:[ !#-[\]-\uFFFF]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)\b/y

type Expected = 'value' | 'first value' | 'first key' | 'key' | 'colon' | 'next' | 'end'

/** The index of the first character that JSON does not allow. The length of the text if it ends too early. */
export function jsonErrorAt(text: string): number {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, TOKEN.lastIndex)) {
    TOKEN.lastIndex = at
    const token: string | undefined = TOKEN.exec(text)?.[0]
    const next: Expected | undefined = token === undefined ? undefined : after(token, expected, open)
    if (next === undefined) return at
    expected = next
  }
  return text.length
}

/** What is expected after a token. `undefined` if the token is not allowed here. Opens and closes brackets. */
function after(token: string, expected: Expected, open: ('{' | '[')[]): Expected | undefined {
  const ended = (): Expected => (open.length === 0 ? 'end' : 'next')
  if (token === '}' || token === ']') {
    const isMatching = open.pop() === (token === '}' ? '{' : '[')
    const canEnd = expected === 'next' || expected === (token === '}' ? 'first key' : 'first value')
    return isMatching && canEnd ? ended() : undefined
  }
  if (token === ',') return expected === 'next' ? (open.at(-1) === '{' ? 'key' : 'value') : undefined
  if (token === ':') return expected === 'colon' ? 'value' : undefined
  if (expected === 'key' || expected === 'first key') return token.startsWith('"') ? 'colon' : undefined
  if (expected !== 'value' && expected !== 'first value') return undefined
  if (token !== '{' && token !== '[') return ended()
  open.push(token)
  return token === '{' ? 'first key' : 'first value'
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (/[ \t\r\n]/.test(text[at] ?? '')) at += 1
  return at
}
