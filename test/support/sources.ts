import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The texts of a source and of all it imports, types aside. */
export function reachableFrom(file: string, seen = new Map<string, string>()): readonly string[] {
  if (seen.has(file)) return [...seen.values()]
  const text = readFileSync(join(root, file), 'utf8')
  seen.set(file, text)
  for (const [, path = ''] of text.matchAll(/^import (?!type )[^']*'(\.[^']+\.tsx?)'/gm)) {
    // What defines the words uses none of them.
    if (!path.endsWith('/api-error.ts')) reachableFrom(join(dirname(file), path), seen)
  }
  return [...seen.values()]
}

/** What a pattern captures in some texts, each once. */
export const usesOf = (pattern: RegExp, texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map((match) => match[1]!))),
]
