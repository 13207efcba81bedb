/** What a form body holds once its bracket keys are unfolded. */
export type FormValue = string | FormValue[] | { [key: string]: FormValue }

const MAX_DEPTH = 8

/**
 * Reads `data[pay_id]=1&recipients[0][token]=x` into the nested shape it stands for. Objects whose keys
 * are all indexes become arrays. `__proto__` is a name like any other.
 */
export function decodeForm(text: string): { [key: string]: FormValue } {
  const root: Tree = emptyObject()
  const sizes: Sizes = new WeakMap()
  for (const [key, value] of new URLSearchParams(text)) place(root, pathOf(key), value, sizes)
  return unfoldValues(root)
}

/** How many entries without a name an object has got so far. */
type Sizes = WeakMap<Tree, number>

type Tree = { [key: string]: string | Tree }

const emptyObject = (): Tree => Object.create(null) as Tree

function pathOf(key: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key)
  if (!match) return [key]
  const inner = [...match[2]!.matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1]!)
  return inner.length < MAX_DEPTH ? [match[1]!, ...inner] : [key]
}

function place(tree: Tree, path: readonly string[], value: string, sizes: Sizes): void {
  let here = tree
  for (const [depth, step] of path.entries()) {
    const name = step === '' ? nextIndex(here, sizes) : step
    if (depth === path.length - 1) {
      here[name] = value
      return
    }
    const next = here[name]
    here = typeof next === 'object' ? next : (here[name] = emptyObject())
  }
}

function nextIndex(tree: Tree, sizes: Sizes): string {
  const index = sizes.get(tree) ?? Object.keys(tree).length
  sizes.set(tree, index + 1)
  return String(index)
}

function unfold(value: string | Tree): FormValue {
  if (typeof value === 'string') return value
  const keys = Object.keys(value)
  const isList = keys.length > 0 && keys.every((key, index) => key === String(index))
  return isList ? keys.map((key) => unfold(value[key]!)) : unfoldValues(value)
}

/** In place, as a copy of a form with many fields takes long. */
function unfoldValues(tree: Tree): { [key: string]: FormValue } {
  const values: { [key: string]: FormValue } = tree
  for (const key of Object.keys(tree)) values[key] = unfold(tree[key]!)
  return values
}

/** The media type of a `Content-Type`, without its parameters and in lower case. */
export const mediaTypeOf = (contentType: string): string => contentType.split(';', 1)[0]!.trim().toLowerCase()
