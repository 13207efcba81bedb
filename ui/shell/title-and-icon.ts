import { effect } from '@preact/signals'
import { PRODUCT_NAME } from '../../server/contract/product-name.ts'
import { route } from '../browser/route.ts'
import { firstTab, placeTitle, screenTitle } from '../browser/screens.ts'
import { missedPaymentCount } from '../data/verdict.ts'

const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')!

/** Draws a link symbol, with a number over it. */
function drawIcon(count: number): void {
  const text = count > 99 ? '99' : String(count)
  const badge =
    count > 0
      ? `<rect x="8" y="12" width="24" height="20" rx="6" fill="#b3202a"/><text x="20" y="27" text-anchor="middle" font-size="15" font-family="sans-serif" fill="#fff">${text}</text>`
      : ''
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f5fd6"/><g fill="none" stroke="#fff" stroke-width="3"><rect x="5" y="11" width="13" height="10" rx="5"/><rect x="14" y="11" width="13" height="10" rx="5"/></g>${badge}</svg>`
  const address = `data:image/svg+xml,${encodeURIComponent(svg)}`
  icon.href = address
}

/** Shows the number of payments that have not reached the app in the title and the icon: `(3) Timeline`. */
export function updateTitleAndIcon(): void {
  effect(() => drawIcon(missedPaymentCount.value))

  effect(() => {
    const { screen, tab } = route.value
    const ofTab = tab === firstTab(screen) ? '' : `: ${placeTitle({ screen, tab })}`
    const missed = missedPaymentCount.value > 0 ? `(${missedPaymentCount.value}) ` : ''
    document.title = `${missed}${screenTitle(screen)}${ofTab} · ${PRODUCT_NAME}`
  })
}
