import { signal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import { showToast } from '../toasts.ts'

/** The form for a new link, loaded when it is opened first: exact decimals weigh more than the rest of a screen. */
export const loadedForm = signal<FunctionComponent | undefined>(undefined)

export const isFormOpen = signal(false)

/** A payment that was just made here, and that the journal has not told of yet. */
export const expectedPayId = signal<number | undefined>(undefined)

export async function openNewLink(): Promise<void> {
  isFormOpen.value = true
  try {
    loadedForm.value ??= (await import('./new-link-form.tsx')).NewLinkForm
  } catch {
    isFormOpen.value = false
    showToast({
      tone: 'err',
      text: 'The form could not be loaded. The sandbox may be stopped or restarting.',
    })
  }
}
