import { useSignal } from '@preact/signals'
import type { ComponentChild } from 'preact'
import { useId, useLayoutEffect } from 'preact/hooks'
import { groupOpenPoints } from '../../server/domain/behaviors/open-point-groups.ts'
import { NotLoaded } from '../connect/accounts/not-loaded.tsx'
import { useScrollTarget } from '../components/use-scroll-target.ts'
import { accountList } from '../data/accounts.ts'
import { formatRoute } from '../browser/hash-route.ts'
import { navigate, route } from '../browser/route.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { GuideLink } from '../components/guide-link.live.tsx'
import { Segmented } from '../components/segmented.tsx'
import {
  accountsWithChoices,
  behaviors,
  scope,
  scopedAccount,
  setBehaviors,
  type ShownAssumption,
  type ShownBehavior,
  type ShownPoint,
} from './behavior-resource.ts'
import { BehaviorRow } from './behavior-row.tsx'
import { EventCount, ServiceLine } from './point-lines.tsx'
import { useError } from '../data/use-error.ts'

/** The open points, for all accounts or for one. Changed points come first, then points that the traffic depends on. */
export function BehaviorSection() {
  const heading = useScrollTarget<HTMLHeadingElement>('behaviors')
  const loaded = behaviors.value
  return (
    <section class="behaviors" aria-labelledby="behaviors">
      <header>
        <h2 id="behaviors" ref={heading} tabIndex={-1}>
          Open points
        </h2>
        <ScopeSwitch />
        <p class="muted">
          What the sandbox does where the API reference is silent. Test your code with every option.
          <GuideLink page="undocumented-behavior" about="undocumented behavior" />
        </p>
      </header>
      {loaded.state === 'loaded' ? (
        <PointList
          key={loaded.value.account}
          points={[...loaded.value.behaviors, ...loaded.value.assumptions]}
        />
      ) : (
        <NotLoaded of={loaded} />
      )}
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

/** A behavior is changed if it was set, for this account, or by a flag at startup. */
const isChanged = (point: ShownPoint): point is ShownBehavior => {
  if (!hasOptions(point)) return false
  const { chosen, source, value, options } = point
  return scope.value === undefined ? (chosen || source === 'start') && value !== options[0] : chosen
}

const byEvents = (one: ShownPoint, other: ShownPoint) => other.events - one.events

function PointList({ points }: { readonly points: readonly ShownPoint[] }) {
  const query = useSignal('')
  const text = query.value.trim().toLowerCase()
  const behaviorCount = points.filter(hasOptions).length
  const changed = points.filter(isChanged)
  const others = points.filter((point) => !isChanged(point))
  const matches = others.filter(({ name, reference, assumption }) =>
    `${name} ${reference} ${assumption}`.toLowerCase().includes(text),
  )
  const usedPoints = matches.filter(({ events }) => events > 0).toSorted(byEvents)

  // One list without groups, so that a row that changes its group moves, and keeps its unfolded text and the typed value.
  const rows = [
    changed.length > 0 && <ChangedHead key="changed" changed={changed} count={behaviorCount} />,
    ...changed.map((behavior) => <BehaviorRow key={behavior.name} behavior={behavior} isChanged />),
    ...sectionRows('Your traffic depends on', usedPoints),
    ...groupOpenPoints(matches.filter(({ events }) => events === 0)).flatMap((section) =>
      sectionRows(section.title, section.points, text === ''),
    ),
    matches.length === 0 && (
      <p key="none" class="muted">
        No open point contains “{query.value}”.
      </p>
    ),
  ]
  useKeptFocus()
  return (
    <>
      <input
        type="search"
        class="find"
        aria-label="Find an open point"
        placeholder="Find an open point"
        value={query.value}
        onInput={({ currentTarget }) => (query.value = currentTarget.value)}
      />
      <AccountChoices />
      <div class="behavior-list">{rows}</div>
    </>
  )
}

function ChangedHead({
  changed,
  count,
}: {
  readonly changed: readonly ShownBehavior[]
  readonly count: number
}) {
  const error = useError()
  const chosen = changed.filter((behavior) => behavior.chosen)
  const resetAll = async () => {
    error.value = await setBehaviors(Object.fromEntries(chosen.map(({ name }) => [name, null])))
  }
  return (
    <div class="section-head">
      <h3>
        {scope.value === undefined ? 'Changed' : `Changed for ${scopedAccount.value?.name ?? 'this account'}`}{' '}
        <span class="muted">
          {changed.length} of {count}
        </span>
      </h3>
      {chosen.length > 1 && (
        <button type="button" class="link" onClick={resetAll}>
          Reset {chosen.length === 2 ? 'both' : 'all'}
        </button>
      )}
      <ErrorMessage text={error.value} />
    </div>
  )
}

const hasOptions = (point: ShownPoint): point is ShownBehavior => 'options' in point

/**
 * A heading, the points with options, and the points without options, which are folded unless the service differs from the
 * sandbox.
 */
function sectionRows(title: string, points: readonly ShownPoint[], isFolded = false): ComponentChild[] {
  if (points.length === 0) return []
  const assumptions = points.flatMap((point) => (hasOptions(point) ? [] : [point]))
  const folded = isFolded ? assumptions.filter(({ service }) => service === null || service.same) : []
  return [
    <div key={title} class="section-head">
      <h3>
        {title} <span class="muted">{points.length}</span>
      </h3>
    </div>,
    ...points.flatMap((point) =>
      hasOptions(point) ? <BehaviorRow key={point.name} behavior={point} isChanged={false} /> : [],
    ),
    ...assumptions.filter((point) => !folded.includes(point)).map(assumptionRow),
    folded.length > 0 && (
      <details key={`${title}, folded`} open={folded.some(({ name }) => name === route.value.point)}>
        <summary>{folded.length} without options</summary>
        {folded.map(assumptionRow)}
      </details>
    ),
  ]
}

const assumptionRow = (point: ShownAssumption) => <AssumptionRow key={point.name} assumption={point} />

/** An open point without options, and what the sandbox does there. */
function AssumptionRow({ assumption: point }: { readonly assumption: ShownAssumption }) {
  const id = useId()
  const element = useScrollTarget<HTMLDivElement>(point.name)
  return (
    <div ref={element} class="behavior" role="group" aria-labelledby={id} tabIndex={-1}>
      <div class="behavior-text">
        <b id={id} class="behavior-name">
          {point.name}
        </b>
        <EventCount events={point.events} />
        <p class="muted">{point.reference}</p>
        <p>
          {point.assumption} {point.reason}
        </p>
        <ServiceLine service={point.service} />
      </div>
    </div>
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

/** Lists the accounts with values of their own. A value for all accounts does not change these. */
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
