import { isBehaviorName, openPoints, type OpenPoint } from '../../server/domain/behaviors/behavior.ts'
import { route } from '../route.ts'
import { BehaviorChoice } from './behavior-choice.tsx'
import { behaviors, scope } from './behavior-resource.ts'
import { currentAccount } from './current-account.ts'
import { NotLoaded } from './not-loaded.tsx'
import { Section, useScrollTarget } from './section.tsx'

/** The points that the reference leaves open, each with what is in force. */
export function Behaviors() {
  const loaded = behaviors.value
  return (
    <Section name="behaviors">
      <p>
        Points that the reference leaves open. Where there is more than one answer, choose the one to test
        your code against. Answers that rest on one name it in the header <code>Sandbox-Assumed</code>.
      </p>
      <ScopeSwitch />
      {loaded.state !== 'loaded' ? (
        <NotLoaded of={loaded} />
      ) : (
        <>
          {scope.value === 'sandbox' && loaded.value.own.length > 0 && (
            <p class="note">
              {currentAccount.value?.name} has its own: {loaded.value.own.join(', ')}. It is shown, and can be
              taken back, for this account only.
            </p>
          )}
          <div class="points">
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
      <legend>Shown and chosen for</legend>
      {(['sandbox', 'account'] as const).map((one) => (
        <label key={one} class="option">
          <input
            type="radio"
            name="scope"
            checked={scope.value === one}
            disabled={one === 'account' && !account}
            onChange={() => (scope.value = one)}
          />
          {one === 'sandbox' ? 'Every account' : `This account only${account ? ` (${account.name})` : ''}`}
        </label>
      ))}
    </fieldset>
  )
}

const fixed = Object.entries(openPoints).filter(([name]) => !isBehaviorName(name))

/** What the sandbox does where the reference says nothing and there is no switch. */
export function Assumptions() {
  return (
    <Section name="assumptions">
      <p>Not in the API document; the sandbox has settled on one answer, so there is nothing to choose.</p>
      <details class="fixed" open={fixed.some(([name]) => name === route.value.point)}>
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
