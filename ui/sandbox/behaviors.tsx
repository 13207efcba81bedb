import { GuideLink } from '../shell/guide-link.tsx'
import { isBehaviorName } from '../../server/domain/behaviors/behavior.ts'
import { openPoints, type OpenPoint } from '../../server/domain/behaviors/open-points.ts'
import { route } from '../route.ts'
import { BehaviorChoice } from './behavior-choice.tsx'
import { behaviors, scope } from './behavior-resource.ts'
import { currentAccount } from './current-account.ts'
import { NotLoaded } from './not-loaded.tsx'
import { Section, useScrollTarget } from './section.tsx'

/** The behaviors, with their active options. */
export function Behaviors() {
  const loaded = behaviors.value
  return (
    <Section name="behaviors">
      <p>
        The API reference does not specify these points. Choose the behavior to test your code against. A
        response that depends on one names it in the header <code>Sandbox-Assumed</code>.
        <GuideLink page="undocumented-behavior" about="undocumented behavior" />
      </p>
      <ScopeSwitch />
      {loaded.state !== 'loaded' ? (
        <NotLoaded of={loaded} />
      ) : (
        <>
          {scope.value === 'sandbox' && loaded.value.own.length > 0 && (
            <p class="note">
              {currentAccount.value?.name} has its own settings: {loaded.value.own.join(', ')}. Select “This
              account only” to see or reset them.
            </p>
          )}
          <div class="behaviors">
            {loaded.value.behaviors.map((behavior) => (
              <BehaviorChoice key={`${loaded.value.account}/${behavior.name}`} behavior={behavior} />
            ))}
          </div>
        </>
      )}
    </Section>
  )
}

function ScopeSwitch() {
  const account = currentAccount.value
  return (
    <fieldset class="scope">
      <legend>Applies to</legend>
      {(['sandbox', 'account'] as const).map((option) => (
        <label key={option} class="option">
          <input
            type="radio"
            name="scope"
            checked={scope.value === option}
            disabled={option === 'account' && !account}
            onChange={() => (scope.value = option)}
          />
          {option === 'sandbox' ? 'All accounts' : `This account only${account ? ` (${account.name})` : ''}`}
        </label>
      ))}
    </fieldset>
  )
}

const fixed = Object.entries(openPoints).filter(([name]) => !isBehaviorName(name))

/** Points that the reference does not specify and that cannot be changed. */
export function Assumptions() {
  return (
    <Section name="assumptions">
      <p>The API reference does not specify these points either. The sandbox has one behavior for each.</p>
      <details class="fixed-assumptions" open={fixed.some(([name]) => name === route.value.point)}>
        <summary>{fixed.length} fixed assumptions</summary>
        <dl>
          {fixed.map(([name, point]) => (
            <Assumption key={name} name={name} point={point} />
          ))}
        </dl>
      </details>
    </Section>
  )
}

function Assumption({ name, point }: { readonly name: string; readonly point: OpenPoint }) {
  const term = useScrollTarget<HTMLElement>(name)
  return (
    <div>
      <dt ref={term} tabIndex={-1}>
        {name}
      </dt>
      <dd>
        {point.reference} <span class="muted">{point.assumption}</span>
      </dd>
    </div>
  )
}
