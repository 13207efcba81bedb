import { eventTerms } from '../filter-terms.ts'
import { areStepsHidden, showSteps } from '../first-run/steps.ts'
import { filterContext } from '../timeline/view.ts'
import { hotkeys } from '../hotkeys.ts'
import { route } from '../route.ts'
import { HELP_ID } from './open-help.ts'
import { Icon } from './icon.tsx'

const MINUS = { example: '-path:/tunnel', meaning: 'a minus excludes matches' }

/** The keyboard shortcuts of the current screen, and on the timeline the terms of the filter. */
export function HelpDialog() {
  const { screen } = route.value
  return (
    <dialog id={HELP_ID} class="help" aria-labelledby="help-title">
      <form method="dialog">
        <div class="dialog-head">
          <h2 id="help-title">{screen === 'timeline' ? 'Keyboard and filter' : 'Keyboard'}</h2>
          <button type="submit" aria-label="Close" title="Close">
            <Icon name="close" />
          </button>
        </div>
        {CAN_ACT && areStepsHidden.value && (
          <button
            type="button"
            class="link"
            onClick={({ currentTarget }) => {
              currentTarget.closest('dialog')?.close()
              showSteps()
            }}
          >
            Show the first steps again
          </button>
        )}
        <div class="columns">
          <dl>
            {hotkeys[screen].map(({ key, label }) => (
              <div key={key}>
                <dt>
                  <kbd>{key === 'Escape' ? 'Esc' : key}</kbd>
                </dt>
                <dd>{label}</dd>
              </div>
            ))}
          </dl>
          {screen === 'timeline' && (
            <dl>
              {[...Object.values(eventTerms(filterContext.value)), MINUS].map(({ example, meaning }) => (
                <div key={example}>
                  <dt>
                    <code>{example}</code>
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          )}
        </div>
      </form>
    </dialog>
  )
}
