import type { Tab } from '../browser/screens.ts'
import { CheckCaller } from './checks/check-caller.tsx'
import { CheckReceiver } from './checks/check-receiver.tsx'
import { Scenarios } from './faults/scenarios.tsx'
import { GuideLink } from '../components/guide-link.live.tsx'
import { FaultList } from './faults/fault-list.tsx'
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

const FaultSection = () => (
  <section aria-label="Faults">
    <p>
      Inject failures into the next call, webhook or redirect, into several, or at random. Each one is marked
      in the timeline.
      <GuideLink page="simulating-failures" about="simulating failures" />
    </p>
    <NewFault />
    <FaultList />
  </section>
)
