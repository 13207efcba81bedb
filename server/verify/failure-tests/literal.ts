/** A value as an expression in TypeScript. */
export function literal(value: unknown, indent = ''): string {
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    const short = `[${value.map((item) => literal(item)).join(', ')}]`
    if (short.length <= MAX_WIDTH && !short.includes('\n')) return short
    return `[\n${value.map((item) => `${inner}${literal(item, inner)},`).join('\n')}\n${indent}]`
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, one]) => one !== undefined)
    if (entries.length === 0) return '{}'
    const keys = entries.map(([key]) => keyOf(key))
    const short = `{ ${entries.map(([, one], index) => `${keys[index]}: ${literal(one)}`).join(', ')} }`
    if (short.length <= MAX_WIDTH && !short.includes('\n')) return short
    const lines = entries.map(([, one], index) => `${inner}${keys[index]}: ${literal(one, inner)},`)
    return `{\n${lines.join('\n')}\n${indent}}`
  }
  return typeof value === 'string' ? quote(value) : JSON.stringify(value)
}

/** A name as the key of an object literal. */
export const keyOf = (name: string): string => (/^[a-z_$][\w$]*$/i.test(name) ? name : quote(name))

const MAX_WIDTH = 70

/** Uses single quotes if the text then needs no escape. */
const quote = (text: string): string => {
  const json = JSON.stringify(text)
  return /['"\\]/.test(json.slice(1, -1)) ? json : `'${text}'`
}
