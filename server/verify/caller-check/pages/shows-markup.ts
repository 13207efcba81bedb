import { compileFunction } from 'node:vm'
import { decodeHtml } from '../../../domain/text/decode-escapes.ts'
import { isJson } from '../../../domain/text/is-json.ts'
import type { PageAnswer } from '../../app/orders/open-page.ts'
import { CallerFailure } from '../caller-case.ts'
import { headerIn } from './freshness.ts'
import { scriptCode } from './script-code.ts'

/** The name of an element and of an attribute that no page contains by chance. */
const NAME = 'q7x'

/**
 * A text that becomes markup, or code, wherever a page does not escape it: between elements, in an attribute, in a string of a script, in
 * a comment.
 */
export const MARKUP = `" ${NAME}="1" ' ${NAME}='1' </script></title></textarea>--><${NAME}>`

/** Whether a page contains `MARKUP` as markup or as code. JSON and plain text need not escape it. */
export const showsMarkup = ({ error, text, headerLines }: PageAnswer): boolean =>
  error === null && !isJson(text) && isHtml(headerIn(headerLines, 'content-type')) && hasName(text)

/** Throws if a page shows `MARKUP` as markup. */
export function expectNoMarkup(pages: readonly PageAnswer[]): void {
  const page = pages.flatMap((one) => [...(one.confirmed ?? []), one]).find(showsMarkup)
  if (page !== undefined)
    throw new CallerFailure({ problem: 'unescaped-note', seen: `${page.url} shows ${MARKUP} as markup` })
}

/** Browsers guess the type of a page that names none. */
const isHtml = (type: string): boolean => type === '' || /html|xml/i.test(type)

/** Elements whose content is text up to their end tag, whatever it contains. */
const OF_TEXT: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'title', 'iframe', 'xmp'])

/** Whether an element or an attribute of a page has the name, or the code of a script, as browsers read it. */
function hasName(page: string): boolean {
  let rest = page
  const read = (pattern: RegExp): RegExpExecArray | null => {
    const found = pattern.exec(rest)
    if (found !== null) rest = rest.slice(found.index + found[0].length)
    return found
  }
  for (let tag = read(TAG); tag !== null; tag = read(TAG)) {
    const name = tag[1]?.toLowerCase()
    if (name === undefined) continue
    if (name === NAME) return true
    let type = ''
    for (let attribute = read(ATTRIBUTE); attribute !== null; attribute = read(ATTRIBUTE)) {
      const [, attributeName = '', ...values] = attribute
      const value = values.join('')
      if (attributeName === NAME) return true
      if (/^on/i.test(attributeName) && isInCode(decodeHtml(value))) return true
      if (attributeName.toLowerCase() === 'type') type = value
    }
    if (!OF_TEXT.has(name)) continue
    const content = read(new RegExp(`^[^>]*>([^]*?)</${name}`, 'i'))?.[1] ?? ''
    if (name === 'script' && OF_SCRIPT.test(type) && isInCode(content)) return true
  }
  return false
}

/** Matches the types of elements whose content is a script, and not data. */
const OF_SCRIPT = /^(?:module|(?:text|application)\/(?:x-)?(?:java|ecma)script)?$/i

/** Whether the code of a script has the name. `MARKUP` ends no string without breaking its script, so a script that compiles is right. */
const isInCode = (script: string): boolean =>
  script.includes(NAME) && NAME_IN_CODE.test(scriptCode(script)) && !compiles(script)

const NAME_IN_CODE = new RegExp(`\\b${NAME}\\b`)

function compiles(script: string): boolean {
  try {
    compileFunction(script)
    return true
  } catch {
    return false
  }
}

const TAG = /<!--[^]*?-->|<([a-z][^\s/>]*)/i

const ATTRIBUTE = /^[\s/]*([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/
