import { signal } from '@preact/signals'

export const isPaletteOpen = signal(false)

export const openPalette = (): void => void (isPaletteOpen.value = true)
