import { decodeEscapes } from '../../../domain/text/decode-escapes.ts'

/** The names and values of the fields of a page. Frameworks also put the token of a form into a `meta` element. */
export function fieldsIn(page: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {}
  for (const [, element, ofElement, content = '', ofTag = ''] of page.matchAll(FIELD)) {
    const attributes = ofElement ?? ofTag
    const name = attributeIn(attributes, 'name')
    const isLeftOut = /\btype=["']?radio\b/i.test(attributes) && !/\bchecked\b/i.test(attributes)
    if (name === undefined || (isLeftOut && name in fields)) continue
    const value = attributeIn(attributes, 'value') ?? attributeIn(attributes, 'content')
    fields[name] = value ?? (element === 'select' ? chosenIn(content) : decodeEscapes(content))
  }
  return fields
}

/** The value of the selected option in a list, or else of its first option. */
function chosenIn(list: string): string {
  const options = [...list.matchAll(/<option\b([^>]*)>([^<]*)/gi)]
  const [, attributes = '', label = ''] =
    options.find(([, text = '']) => /\bselected\b/i.test(text)) ?? options[0] ?? []
  return attributeIn(attributes, 'value') ?? decodeEscapes(label.trim())
}

const FIELD = /<(select|textarea)\b([^>]*)>([^]*?)<\/\1>|<(?:input|meta|button)\b([^>]*)>/gi

export function attributeIn(attributes: string, name: string): string | undefined {
  const [, quoted, other, bare] =
    new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(attributes) ?? []
  const value = quoted ?? other ?? bare
  return value === undefined ? undefined : decodeEscapes(value)
}
