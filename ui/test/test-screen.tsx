import type { Tab } from '../browser/screens.ts'
import { CheckCaller } from './checks/check-caller.tsx'
import { CheckReceiver } from './checks/check-receiver.tsx'
import { FaultSection } from './faults/faults.tsx'
import { Scenarios } from './faults/scenarios.tsx'

/** What tests an app: failures to trigger, checks, and faults of its own choice. */
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
