import { useSignal, useSignalEffect, type Signal } from '@preact/signals'
import { connection } from './session.ts'

/** The error of a form. It disappears when the sandbox can be reached again, because the error may have said that it cannot. */
export function useError<Failure = string>(): Signal<Failure | undefined> {
  const error = useSignal<Failure | undefined>(undefined)
  useSignalEffect(() => {
    if (connection.value === 'live') error.value = undefined
  })
  return error
}
