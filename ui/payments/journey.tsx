import { PaymentTestMenu } from './payment-test-menu.live.tsx'
import { storedChoice } from '../browser/local-storage.ts'
import { isTiny } from '../browser/media.ts'
import { lazy } from '../components/lazy.tsx'
import { Segmented } from '../components/segmented.tsx'
import { JourneyList } from './journey-list.tsx'
import { WebhookButtons } from './webhook-buttons.live.tsx'

const DiagramView = lazy(async () => (await import('./diagram/diagram-view.tsx')).DiagramView)
const CopyDiagram = lazy(async () => (await import('./diagram/diagram-view.tsx')).CopyDiagram, 'empty')

/** Loads the diagram, so that a payment appears with it and nothing moves. */
export const loadJourney = () => Promise.all([DiagramView.load(), CopyDiagram.load()])

const form = storedChoice('journey', ['diagram', 'list'])

/** The history of a link, as a sequence diagram or as a list. A very narrow screen has room only for the list. */
export function Journey({ payId }: { readonly payId: number }) {
  const isDiagram = form.value === 'diagram' && !isTiny.value
  return (
    <section class="journey-section" aria-labelledby="journey">
      <div class="section-head">
        <h3 id="journey">Journey</h3>
        {!isTiny.value && (
          <Segmented
            label="Show as"
            options={[
              ['diagram', 'Diagram'],
              ['list', 'List'],
            ]}
            value={form.value}
            onValue={(value) => (form.value = value)}
          />
        )}
        <div class="actions">
          <PaymentTestMenu payId={payId} />
          {isDiagram && <CopyDiagram payId={payId} />}
        </div>
      </div>
      {isDiagram ? (
        <>
          <DiagramView payId={payId} />
          <WebhookButtons payId={payId} />
        </>
      ) : (
        <JourneyList payId={payId} />
      )}
    </section>
  )
}
