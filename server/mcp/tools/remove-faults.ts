import { z } from 'zod'
import { plural } from '../../contract/format/values.ts'
import { createAction } from '../tool.ts'

export const removeFaultsAction = createAction({
  description: 'Removes one fault, or all faults of the sandbox.',
  input: z.strictObject({
    fault: z.int().min(1).optional().meta({ description: 'The number after Fault. By default, all faults.' }),
  }),
  effect: { kind: 'changes', isIdempotent: true },
  async run({ fault }, { sandbox, inspector }) {
    if (fault === undefined) await sandbox.faults.clear()
    else await sandbox.faults.remove(fault)
    const left = await sandbox.faults.list()
    return {
      lines: [
        fault === undefined
          ? 'All faults were removed.'
          : `Fault ${fault} was removed. ${plural(left.length, 'fault')} left.`,
      ],
      inspector: inspector.screen('test/faults'),
    }
  },
})
