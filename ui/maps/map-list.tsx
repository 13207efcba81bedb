import { MapButton } from './map-form.tsx'
import { TextWithFlags } from './text-with-flags.tsx'
import { removeMap, rules } from './egress-rules.ts'

/** What is meant for one origin and goes to another. */
export function MapList() {
  const loaded = rules.value
  return (
    <section aria-labelledby="maps">
      <h2 id="maps">Maps</h2>
      <p>
        What is meant for a public origin, webhooks and the browser alike, goes to the address it is mapped
        to, as the map is when it is sent.
      </p>
      {loaded.state === 'failed' && <p class="wrong">{loaded.reason}</p>}
      {loaded.state === 'loaded' && (
        <>
          {loaded.value.maps.length === 0 && <p class="muted">None yet.</p>}
          <ul class="cards">
            {loaded.value.maps.map(({ from, to, source, heldReason }) => (
              <li key={from} class="card">
                <p class="led">
                  <strong>{from}</strong> → {to}
                </p>
                {heldReason !== null && (
                  <p class="held">
                    Webhooks would not go there: <TextWithFlags text={heldReason} />.
                  </p>
                )}
                <div class="foot">
                  {source === 'start' && <span class="muted">given at the start</span>}
                  <MapButton
                    title={`Edit the map of ${from}`}
                    label="Edit"
                    from={from}
                    to={to}
                    before={from}
                  />
                  <button
                    type="button"
                    aria-label={`Remove the map of ${from}`}
                    onClick={() => removeMap({ from, to })}
                  >
                    Remove
                  </button>
                </div>
              </li>
            ))}
          </ul>
          <MapButton title="New map" class="primary" />
        </>
      )}
    </section>
  )
}
