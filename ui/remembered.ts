import { effect, signal, type Signal } from '@preact/signals'

/** A choice that is kept in this browser. A value that is not among the options is forgotten. */
export function remembered<Value extends string>(
  key: string,
  options: readonly [Value, ...Value[]],
): Signal<Value> {
  const kept = localStorage.getItem(`inspector.${key}`)
  const choice = signal(options.find((option) => option === kept) ?? options[0])
  effect(() => localStorage.setItem(`inspector.${key}`, choice.value))
  return choice
}

/** A number that is kept in this browser. */
export function rememberedNumber(key: string, otherwise: number): Signal<number> {
  const kept = Number(localStorage.getItem(`inspector.${key}`) ?? otherwise)
  const choice = signal(Number.isFinite(kept) ? kept : otherwise)
  effect(() => localStorage.setItem(`inspector.${key}`, String(choice.value)))
  return choice
}
