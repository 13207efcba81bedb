import { effect, signal, type Signal } from '@preact/signals'

/** One of several options, stored in this browser. An unknown stored value counts as the first option. */
export function storedChoice<Value extends string>(
  key: string,
  options: readonly [Value, ...Value[]],
): Signal<Value> {
  const stored = read(key)
  const choice = signal(options.find((option) => option === stored) ?? options[0])
  effect(() => write(key, choice.value))
  return choice
}

/** A number stored in this browser. */
export function storedNumber(key: string, initial: number): Signal<number> {
  const stored = Number(read(key) ?? initial)
  const number = signal(Number.isFinite(stored) ? stored : initial)
  effect(() => write(key, String(number.value)))
  return number
}

/** A text that is stored in this browser, and is the same in all its tabs. Never store a secret. */
export function storedText(key: string, initial: string): Signal<string> {
  const text = signal(read(key) ?? initial)
  addEventListener('storage', () => {
    text.value = read(key) ?? initial
  })
  effect(() => write(key, text.value))
  return text
}

/** Storage throws in a sandboxed frame, or if the settings of the browser forbid it. */
function read(key: string): string | null {
  try {
    return localStorage.getItem(`inspector.${key}`)
  } catch {
    return null
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(`inspector.${key}`, value)
  } catch {
    // The value is not stored, so it is lost when the page is closed.
  }
}
