import { GuideLink } from '../../components/guide-link.live.tsx'
import { MapButton } from './map-form.tsx'
import { TextWithFlags } from '../../components/text-with-flags.tsx'
import { egressRules, removeMap } from '../../data/egress-rules.ts'

/** The maps, with buttons to change them. */
export function MapList() {
  const loaded = egressRules.value
  return (
    <section aria-label="Maps">
      <p>
        A map sends the webhooks and redirects for a public origin to another address. A change applies to the
        next webhook or redirect.
        <GuideLink page="url-maps" about="URL maps" />
      </p>
      {loaded.state === 'failed' && <p class="error">{loaded.reason}</p>}
      {loaded.state === 'loaded' && (
        <>
          <MapButton title="New map" class="primary" />
          {loaded.value.maps.length === 0 && <p class="muted">No maps yet.</p>}
          <ul class="cards">
            {loaded.value.maps.map(({ from, to, source, heldReason }) => (
              <li key={from} class="card">
                <p class="mapped">
                  <strong>{from}</strong> → {to}
                </p>
                {heldReason !== null && (
                  <p class="highlighted">
                    Its webhooks are not sent: <TextWithFlags text={heldReason} />.
                  </p>
                )}
                <div class="actions card-end">
                  {source === 'start' && <span class="muted">set at startup</span>}
                  <MapButton
                    title={`Edit the map of ${from}`}
                    label="Edit"
                    from={from}
                    to={to}
                    before={from}
                  />
                  <button
                    type="button"
                    class="danger-text"
                    aria-label={`Remove the map of ${from}`}
                    onClick={() => removeMap({ from, to })}
                  >
                    Remove
                  </button>
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
