import { Checklist, titleOf } from './checklist.tsx'
import { doneSteps, hideSteps, steps } from './steps.ts'

/** The first steps as one line above the timeline, until all are done. */
export function OpenSteps() {
  const done = doneSteps.value
  const next = steps.find((step) => !done?.has(step))
  if (!done || !next) return null
  return (
    <div class="notice tip open-steps">
      <details>
        <summary>
          Your first payment: {done.size} of {steps.length}. Next: {titleOf(next).toLowerCase()}
        </summary>
        <Checklist done={done} />
      </details>
      <button type="button" class="quiet small" aria-label="Hide the first steps" onClick={hideSteps}>
        Hide
      </button>
    </div>
  )
}
