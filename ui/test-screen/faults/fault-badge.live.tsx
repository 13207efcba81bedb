import { plural } from '../../../server/contract/format/values.ts'
import { Badge } from '../../components/badge.tsx'
import { enabledFaults } from './fault-resource.ts'

/** How many faults are enabled. */
export const FaultBadge = () => (
  <Badge count={enabledFaults.value} about={`${plural(enabledFaults.value, 'fault')} enabled`} isQuiet />
)
