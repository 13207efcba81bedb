/** A form body whose bracket keys are expanded to objects and lists. */
export type FormValue = string | FormValue[] | { [key: string]: FormValue }

const MAX_DEPTH = 8

interface FormOptions {
  /**
   * Whether `a[][x]=1&a[][y]=2` is one entry with two keys, as in Rails, where a repeated key begins the next entry. Otherwise,
   * these are two entries, as in PHP.
   */
  readonly groupsEntries?: boolean
}

/**
 * Parses `data[pay_id]=1&recipients[0][token]=x` into nested objects. An object whose keys are all indexes becomes an array.
 * `__proto__` is an ordinary key.
 */
export function decodeForm(
  text: string,
  { groupsEntries = false }: FormOptions = {},
): { [key: string]: FormValue } {
  const root: Tree = emptyObject()
  const nextIndexes: NextIndexes = new WeakMap()
  for (const [key, value] of new URLSearchParams(text))
    setAtPath(root, parseKey(key), value, nextIndexes, groupsEntries)
  return unfoldValues(root)
}

/** For each object, its highest index plus one, which is the index of the next entry that has none (`a[]`). */
type NextIndexes = WeakMap<Tree, number>

const INDEX = /^(?:0|[1-9]\d{0,8})$/

type Tree = { [key: string]: string | Tree }

const emptyObject = (): Tree => Object.create(null) as Tree

function parseKey(key: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key)
  if (!match) return [key]
  const inner = [...match[2]!.matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1]!)
  return inner.length < MAX_DEPTH ? [match[1]!, ...inner] : [key]
}

function setAtPath(
  tree: Tree,
  path: readonly string[],
  value: string,
  nextIndexes: NextIndexes,
  groupsEntries: boolean,
): void {
  let current = tree
  for (const [depth, segment] of path.entries()) {
    const name =
      segment === '' ? nextIndex(current, nextIndexes, groupsEntries ? path[depth + 1] : undefined) : segment
    if (INDEX.test(name)) nextIndexes.set(current, Math.max(nextIndexes.get(current) ?? 0, Number(name) + 1))
    if (depth === path.length - 1) {
      current[name] = value
      return
    }
    const next = current[name]
    current = typeof next === 'object' ? next : (current[name] = emptyObject())
  }
}

/** The index of an entry that has none. With `key`, the newest entry is used again if it does not have this key yet. */
function nextIndex(tree: Tree, nextIndexes: NextIndexes, key: string | undefined): string {
  const index = nextIndexes.get(tree) ?? 0
  const newest = key === undefined ? undefined : tree[String(index - 1)]
  return typeof newest === 'object' && key !== undefined && !(key in newest)
    ? String(index - 1)
    : String(index)
}

function toFormValue(value: string | Tree): FormValue {
  if (typeof value === 'string') return value
  const keys = Object.keys(value)
  const isList = keys.length > 0 && keys.every((key, index) => key === String(index))
  return isList ? keys.map((key) => toFormValue(value[key]!)) : unfoldValues(value)
}

/** Changes the form in place, because copying a form with many fields would be slow. */
function unfoldValues(tree: Tree): { [key: string]: FormValue } {
  const values: { [key: string]: FormValue } = tree
  for (const key of Object.keys(tree)) values[key] = toFormValue(tree[key]!)
  return values
}

/** The media type of a `Content-Type`, without its parameters and in lower case. */
export const parseMediaType = (contentType: string): string =>
  contentType.split(';', 1)[0]!.trim().toLowerCase()
