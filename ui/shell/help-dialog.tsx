import { eventTerms } from '../search/filter-terms.ts'
import { ShowStepsButton } from '../first-run/show-steps-button.live.tsx'
import type { FilterTerms } from '../search/filter.ts'
import { firstTab, type Place } from '../browser/screens.ts'
import { paymentSearch } from '../payments/payment-search.ts'
import { filterContext } from '../search/view.ts'
import { currentHotkeys } from './hotkeys.ts'
import { route } from '../browser/route.ts'
import { HELP_ID } from './open-help.ts'
import { Icon } from '../components/icon.tsx'

/** The terms of the filter of a screen. `undefined` if the screen has no filter. */
const termsOf = ({ screen, tab }: Place): FilterTerms<never> | undefined =>
  screen === 'timeline'
    ? eventTerms(filterContext.value)
    : screen === 'payments' && tab === firstTab(screen)
      ? paymentSearch.value?.terms
      : undefined

const negatedExample = ({ example }: { readonly example: string }) => ({
  example: `-${example}`,
  meaning: 'a minus excludes matches',
})

/** The keyboard shortcuts of the current screen, and the terms of its filter. */
export function HelpDialog() {
  const terms = termsOf(route.value)
  return (
    <dialog id={HELP_ID} class="help" aria-labelledby="help-title">
      <form method="dialog">
        <div class="dialog-head">
          <h2 id="help-title">{terms ? 'Keyboard and filter' : 'Keyboard'}</h2>
          <button type="submit" aria-label="Close" title="Close">
            <Icon name="close" />
          </button>
        </div>
        <ShowStepsButton />
        <div class="columns">
          <dl>
            {currentHotkeys().map(({ key, label }) => (
              <div key={key}>
                <dt>
                  <kbd>{key === 'Escape' ? 'Esc' : key}</kbd>
                </dt>
                <dd>{label}</dd>
              </div>
            ))}
          </dl>
          {terms && (
            <dl>
              {[...Object.values(terms), negatedExample(Object.values(terms)[0]!)].map(
                ({ example, meaning }) => (
                  <div key={example}>
                    <dt>
                      <code>{example}</code>
                    </dt>
                    <dd>{meaning}</dd>
                  </div>
                ),
              )}
            </dl>
          )}
        </div>
      </form>
    </dialog>
  )
}
