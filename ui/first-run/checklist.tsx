import type { ComponentChildren } from 'preact'
import { Icon } from '../components/icon.tsx'
import { hideSteps, steps, type FirstStep } from './steps.ts'
import { TestApp } from './test-app.tsx'

const texts: Readonly<Record<FirstStep, readonly [title: string, about: ComponentChildren]>> = {
  create: [
    'Create a payment link',
    <>
      Here, or with <code>createLink</code>
    </>,
  ],
  pay: ['Pay it', 'By card, on the checkout page'],
  replay: [
    'Replay its webhook',
    <>
      Select the webhook, then Replay <kbd>r</kbd>
    </>,
  ],
  point: [
    'Point webhooks at your app',
    'Until then, a tunnel stores them. The sandbox sends a test request to your app',
  ],
}

export const titleOf = (step: FirstStep): string => texts[step][0]

/** The first steps. A step is done when the journal contains its event. */
export function Checklist({ done }: { readonly done: ReadonlySet<FirstStep> }) {
  const next = steps.find((step) => !done.has(step))
  return (
    <section class="checklist" aria-label="Your first payment">
      <header>
        <h2>Your first payment</h2>
        <span class="muted">
          {done.size} of {steps.length}
        </span>
        <progress aria-label="Steps done" max={steps.length} value={done.size} />
      </header>
      <ol>
        {steps.map((step, index) => {
          const state = done.has(step) ? 'done' : step === next ? 'next' : 'open'
          return (
            <li key={step} data-state={state}>
              <span class="mark">
                {state === 'done' ? (
                  <Icon name="ok" size={12} />
                ) : (
                  <span aria-hidden="true">{index + 1}</span>
                )}
              </span>
              <div>
                <h3>
                  {titleOf(step)}
                  {state === 'done' && <span class="visually-hidden"> (done)</span>}
                </h3>
                <p class="muted">{texts[step][1]}</p>
                {step === 'point' && <TestApp />}
              </div>
            </li>
          )
        })}
      </ol>
      <button type="button" class="link" onClick={hideSteps}>
        Hide this list
      </button>
    </section>
  )
}
