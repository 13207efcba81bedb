import { hotkeys } from '../hotkeys.ts'
import { route } from '../route.ts'
import { HELP_ID } from './open-help.ts'

const filters: readonly (readonly [example: string, meaning: string])[] = [
  ['kind:webhook', 'api, page, redirect, webhook, tunnel, operator or system'],
  ['status:>=400', 'also 404, 5xx, <300 or a word such as held'],
  ['pay:1001', 'everything about one payment'],
  ['path:/hooks', 'a part of the address'],
  ['is:failed', 'also is:held and is:replay'],
  ['dur:>100', 'took longer than 100 ms'],
  ['-path:/tunnel', 'a minus leaves out what matches'],
]

/** The shortcuts of this screen, and what the filter understands. */
export function HelpDialog() {
  return (
    <dialog id={HELP_ID} class="help" aria-labelledby="help-title">
      <form method="dialog">
        <h2 id="help-title">Keyboard and filter</h2>
        <div class="columns">
          <dl>
            {hotkeys[route.value.screen].map(({ key, does }) => (
              <div key={key}>
                <dt>
                  <kbd>{key === 'Escape' ? 'Esc' : key}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
          <dl>
            {filters.map(([example, meaning]) => (
              <div key={example}>
                <dt>
                  <code>{example}</code>
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </div>
        <button type="submit" class="primary">
          Close
        </button>
      </form>
    </dialog>
  )
}
