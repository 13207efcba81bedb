/** Matches comments, including those of old pages, and strings. A string without an end ends with its line. */
const SKIPPED = /\/\/.*|<!--.*|\/\*[^]*?\*\/|"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?/y

const REGULAR_EXPRESSION = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/\w*/y

/** Matches a part of a template literal: up to its end, or up to the next `${`. */
const TEXT_OF_TEMPLATE = /[`}](?:\\[^]|\$(?!\{)|[^`\\$])*(?:`|\$\{|$)/y

/** Matches the end of code that a regular expression may follow. After other code, a slash divides. */
const BEFORE_OPERAND = /(?:^|[-+*%&|^~!=<>?:;,([{}]|\b(?:return|typeof|case|in|of|void|delete|else|do))$/

/** The code of a script, without its comments and without the contents of its strings, templates and regular expressions. */
export function scriptCode(script: string): string {
  let code = ''
  let at = 0
  /** How many braces are open in the `${` of each template literal around this place. */
  const braces: number[] = []
  const read = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(script)?.[0]
    at += found?.length ?? 0
    return found
  }
  while (at < script.length) {
    const sign = script[at]!
    const isTemplate = sign === '`' || (sign === '}' && braces.at(-1) === 0)
    const isOperand = sign === '/' && BEFORE_OPERAND.test(code.trimEnd())
    const text = isTemplate
      ? read(TEXT_OF_TEMPLATE)
      : (read(SKIPPED) ?? (isOperand ? read(REGULAR_EXPRESSION) : undefined))
    if (isTemplate && sign === '}') braces.pop()
    if (isTemplate && text?.endsWith('${')) braces.push(0)
    if (text === undefined) {
      if (sign === '{' && braces.length > 0) braces.push(braces.pop()! + 1)
      if (sign === '}' && braces.length > 0) braces.push(braces.pop()! - 1)
      code += sign
      at += 1
    } else if (text.endsWith('${')) code += '('
    else code += /^(?:\/[/*]|<)/.test(text) ? ' ' : "''"
  }
  return code
}
