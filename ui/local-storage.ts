import { effect, signal, type Signal } from '@preact/signals'

/** A choice that is kept in this browser. A value that is not among the options is forgotten. */
export function storedChoice<Value extends string>(
  key: string,
  options: readonly [Value, ...Value[]],
): Signal<Value> {
  const kept = recall(key)
  const choice = signal(options.find((option) => option === kept) ?? options[0])
  effect(() => keep(key, choice.value))
  return choice
}

/** A number that is kept in this browser. */
export function storedNumber(key: string, otherwise: number): Signal<number> {
  const kept = Number(recall(key) ?? otherwise)
  const choice = signal(Number.isFinite(kept) ? kept : otherwise)
  effect(() => keep(key, String(choice.value)))
  return choice
}

/** A file that is shown in a frame may have no storage, and a browser may refuse it. */
function recall(key: string): string | null {
  try {
    return localStorage.getItem(`inspector.${key}`)
  } catch {
    return null
  }
}

function keep(key: string, value: string): void {
  try {
    localStorage.setItem(`inspector.${key}`, value)
  } catch {
    // It holds until the page is closed.
  }
}
