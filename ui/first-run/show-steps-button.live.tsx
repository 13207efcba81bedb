import { areStepsHidden, showSteps } from './steps.ts'

/** Brings the hidden first steps back, and closes the dialog around it. */
export const ShowStepsButton = () =>
  areStepsHidden.value && (
    <button
      type="button"
      class="link"
      onClick={({ currentTarget }) => {
        currentTarget.closest('dialog')?.close()
        showSteps()
      }}
    >
      Show the first steps again
    </button>
  )
