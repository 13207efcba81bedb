import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Tab } from '../browser/screens.ts'
import { CheckCaller } from './checks/check-caller.tsx'
import { CheckReceiver } from './checks/check-receiver.tsx'
import { Scenarios } from './faults/scenarios.tsx'
import { GuideLink } from '../components/guide-link.live.tsx'
import { FaultList } from './faults/fault-list.tsx'
import { faults } from './faults/fault-resource.ts'
import { NewFault } from './faults/new-fault.tsx'

/** The tools that test an app: failures to trigger, checks, and faults that the user defines. */
export const TestScreen = ({ tab }: { readonly tab: Tab | undefined }) => (
  <div class="page">
    {tab === 'scenarios' && <Scenarios />}
    {tab === 'checks' && (
      <>
        <CheckReceiver />
        <CheckCaller />
      </>
    )}
    {tab === 'faults' && <FaultSection />}
  </div>
)

function FaultSection() {
  const section = useRef<HTMLElement>(null)
  const count = faults.value.state === 'loaded' ? faults.value.value.length : 0
  const before = useRef(0)

  // When a button disappears with its fault, the focus moves to the section.
  useLayoutEffect(() => {
    if (count < before.current && document.activeElement === document.body) section.current!.focus()
    before.current = count
  }, [count])

  return (
    <section ref={section} tabIndex={-1} aria-label="Faults">
      <p>
        Inject failures into the next call, webhook or redirect, into several, or at random. Each one is
        marked in the timeline.
        <GuideLink page="simulating-failures" about="simulating failures" />
      </p>
      <NewFault />
      <FaultList />
    </section>
  )
}
