import { GuideLink } from '../../components/guide-link.tsx'
import { FaultList } from './fault-list.tsx'
import { NewFault } from './new-fault.tsx'

export const FaultSection = () => (
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
