import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { isBehaviorName } from '../../server/domain/behaviors/behavior.ts'
import { openPoints, type OpenPoint } from '../../server/domain/behaviors/open-points.ts'
import { NotLoaded } from '../account/not-loaded.tsx'
import { useScrollTarget } from '../account/section.tsx'
import { accountList } from '../data/accounts.ts'
import { formatRoute } from '../browser/hash-route.ts'
import { navigate, route } from '../browser/route.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { GuideLink } from '../components/guide-link.tsx'
import { Segmented } from '../components/segmented.tsx'
import {
  accountsWithChoices,
  behaviors,
  scope,
  scopedAccount,
  setBehaviors,
  type ShownBehavior,
} from './behavior-resource.ts'
import { BehaviorRow } from './behavior-row.tsx'
import { ServiceLine } from './service-line.tsx'

/** The behaviors of every account or of one, the changed ones first. */
export function Behaviors() {
  const heading = useScrollTarget<HTMLHeadingElement>('behaviors')
  const loaded = behaviors.value
  return (
    <section class="behaviors" aria-labelledby="behaviors">
      <header>
        <h2 id="behaviors" ref={heading} tabIndex={-1}>
          Behaviors
        </h2>
        <ScopeSwitch />
        <p class="muted">
          Choose how the sandbox behaves where the API document is silent. Test your code with every option.
          <GuideLink page="undocumented-behavior" about="undocumented behavior" />
        </p>
      </header>
      {loaded.state === 'loaded' ? (
        <BehaviorGroups key={loaded.value.account} shown={loaded.value.behaviors} />
      ) : (
        <NotLoaded of={loaded} />
      )}
      <FixedAssumptions />
    </section>
  )
}

const setScope = (account: string | undefined) => navigate({ account, point: undefined })

function ScopeSwitch() {
  const first = accountList.value.find(({ environment }) => environment === 'development')
  return (
    <div class="scope">
      {scope.value !== undefined && (
        <select
          aria-label="Account"
          value={scope.value}
          onChange={({ currentTarget }) => setScope(currentTarget.value)}
        >
          {accountList.value.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      <Segmented
        label="Behaviors of"
        options={[
          ['every', 'Every account'],
          ['one', 'One account'],
        ]}
        value={scope.value === undefined ? 'every' : 'one'}
        isDisabled={scope.value === undefined && first === undefined}
        onValue={(value) => setScope(value === 'one' ? first?.id : undefined)}
      />
    </div>
  )
}

/** A behavior is changed if it has been set, for this scope or by a flag at the start. */
const isChanged = ({ chosen, source, value, options }: ShownBehavior): boolean =>
  scope.value === undefined ? (chosen || source === 'start') && value !== options[0] : chosen

function BehaviorGroups({ shown }: { readonly shown: readonly ShownBehavior[] }) {
  const wanted = useSignal('')
  const error = useSignal<string | undefined>(undefined)
  const changed = shown.filter(isChanged)
  const unchanged = shown.filter((behavior) => !isChanged(behavior))
  const chosen = changed.filter((behavior) => behavior.chosen)
  const found = unchanged.filter(({ name, reference }) =>
    `${name} ${reference}`.toLowerCase().includes(wanted.value.trim().toLowerCase()),
  )
  const resetAll = async () => {
    error.value = await setBehaviors(Object.fromEntries(chosen.map(({ name }) => [name, null])))
  }

  // One flat list: a row that changes its group moves, and keeps its open text and what is typed in it.
  const rows = [
    changed.length > 0 && (
      <div key="changed" class="section-head">
        <h3>
          {scope.value === undefined
            ? 'Changed'
            : `Changed for ${scopedAccount.value?.name ?? 'this account'}`}{' '}
          <span class="muted">
            {changed.length} of {shown.length}
          </span>
        </h3>
        {chosen.length > 1 && (
          <button type="button" class="link" onClick={resetAll}>
            Reset {chosen.length === 2 ? 'both' : 'all'}
          </button>
        )}
        <ErrorMessage text={error.value} />
      </div>
    ),
    ...changed.map((behavior) => <BehaviorRow key={behavior.name} behavior={behavior} isChanged />),
    <div key="default" class="section-head">
      <h3>
        {scope.value === undefined ? 'Default' : 'Same as for all accounts'}{' '}
        <span class="muted">{unchanged.length}</span>
      </h3>
      <input
        type="search"
        class="find"
        aria-label="Find a behavior"
        placeholder="Find a behavior"
        value={wanted.value}
        onInput={({ currentTarget }) => (wanted.value = currentTarget.value)}
      />
    </div>,
    ...found.map((behavior) => <BehaviorRow key={behavior.name} behavior={behavior} isChanged={false} />),
    found.length === 0 && unchanged.length > 0 && (
      <p key="none" class="muted">
        No behavior contains “{wanted.value}”.
      </p>
    ),
  ]
  useKeptFocus()
  return (
    <>
      <AccountChoices />
      <div class="behavior-list">{rows}</div>
    </>
  )
}

/** Gives the focus back to an element that lost it because it moved. */
function useKeptFocus() {
  const focused = document.activeElement
  useLayoutEffect(() => {
    if (focused instanceof HTMLElement && focused.isConnected && focused !== document.activeElement)
      focused.focus({ preventScroll: true })
  })
}

/** Lists the accounts with choices of their own. A choice for every account does not change these. */
function AccountChoices() {
  const loaded = accountsWithChoices.value
  if (scope.value !== undefined || loaded.state !== 'loaded' || loaded.value.length === 0) return null
  return (
    <p class="muted">
      {loaded.value.map(({ id, name, chosen }, index) => (
        <span key={id}>
          {index > 0 && ' '}
          <a href={formatRoute({ screen: 'sandbox', account: id })}>{name}</a> has its own {chosen.join(', ')}
          .
        </span>
      ))}
    </p>
  )
}

const fixed = Object.entries(openPoints).filter(([name]) => !isBehaviorName(name))

/** Points that the reference does not specify and that cannot be changed. */
function FixedAssumptions() {
  const summary = useScrollTarget<HTMLElement>('assumptions')
  const { point } = route.value
  return (
    <details class="closed-line" open={point === 'assumptions' || fixed.some(([name]) => name === point)}>
      <summary ref={summary}>
        {fixed.length} fixed assumptions <span class="muted">Points that you cannot change</span>
      </summary>
      <dl>
        {fixed.map(([name, openPoint]) => (
          <Assumption key={name} name={name} point={openPoint} />
        ))}
      </dl>
    </details>
  )
}

function Assumption({ name, point }: { readonly name: string; readonly point: OpenPoint }) {
  const term = useScrollTarget<HTMLElement>(name)
  const loaded = behaviors.value
  const shown =
    loaded.state === 'loaded' ? loaded.value.assumptions.find((one) => one.name === name) : undefined
  return (
    <div>
      <dt ref={term} tabIndex={-1}>
        {name}
      </dt>
      <dd>
        {point.reference} <span class="muted">{point.assumption}</span>
        <ServiceLine service={shown?.service ?? null} />
      </dd>
    </div>
  )
}
