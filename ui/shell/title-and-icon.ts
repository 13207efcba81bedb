import { effect, signal } from '@preact/signals'
import { countAfter } from '../data/log.ts'
import { route } from '../browser/route.ts'
import { log } from '../data/session.ts'
import { screenEntries } from './screens.ts'

const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')!

/** Draws a link symbol, with the number of new events over it. */
function drawIcon(unread: number): void {
  const text = unread > 99 ? '99' : String(unread)
  const badge =
    unread > 0
      ? `<rect x="8" y="12" width="24" height="20" rx="6" fill="#b3202a"/><text x="20" y="27" text-anchor="middle" font-size="15" font-family="sans-serif" fill="#fff">${text}</text>`
      : ''
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f5fd6"/><g fill="none" stroke="#fff" stroke-width="3"><rect x="5" y="11" width="13" height="10" rx="5"/><rect x="14" y="11" width="13" height="10" rx="5"/></g>${badge}</svg>`
  const address = `data:image/svg+xml,${encodeURIComponent(svg)}`
  icon.href = address
}

/** Counts events that arrive while the page is hidden, in the title and the icon: `(3) Inspector`. */
export function updateTitleAndIcon(): void {
  const isHidden = signal(document.hidden)
  document.addEventListener('visibilitychange', () => (isHidden.value = document.hidden))

  const unread = signal(0)
  let seen = 0
  let loadedGeneration = -1
  effect(() => {
    const { entries, generation, last, head } = log.journal.value
    // Events from before the connection are not new.
    const isHistory = loadedGeneration !== generation
    if (head > 0 && last >= head) loadedGeneration = generation

    if (!isHidden.value || isHistory) seen = last
    unread.value = countAfter(entries, seen)
  })

  effect(() => {
    drawIcon(unread.value)
  })

  effect(() => {
    const { screen } = route.value
    const name = screen === 'timeline' ? 'Inspector' : `Inspector: ${screenEntries[screen].title}`
    document.title = unread.value > 0 ? `(${unread.value}) ${name}` : name
  })
}
