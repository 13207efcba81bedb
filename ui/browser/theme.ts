import { effect } from '@preact/signals'
import { storedChoice } from './local-storage.ts'

export const themes = ['auto', 'light', 'dark'] as const

export const theme = storedChoice('theme', themes)

export function nextTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length]!
}

/** Sets the attribute that the style sheets read. `auto` follows the system. */
export function applyTheme(): void {
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value
  })
}
