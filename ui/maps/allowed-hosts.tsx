import { useSignal } from '@preact/signals'
import { TextField } from '../shell/field.tsx'
import { allowHost, removeAllowedHost, rules } from './egress-rules.ts'

/** Where webhooks may go by themselves. */
export function AllowedHosts() {
  const loaded = rules.value
  return (
    <section aria-labelledby="outlets">
      <h2 id="outlets">Where webhooks may go</h2>
      <ul class="plain">
        <li>this machine: 127.0.0.1, ::1, localhost and every *.localhost</li>
        <li>private networks: 10.*, 172.16.* to 172.31.*, 192.168.*, fc00::/7, host.docker.internal</li>
        {loaded.state === 'loaded' &&
          loaded.value.allowedHosts.map((host) => (
            <li key={host}>
              {host}{' '}
              <button
                type="button"
                class="small allowed"
                aria-label={`Remove ${host} from the allowed hosts`}
                onClick={() => removeAllowedHost(host)}
              >
                Remove
              </button>
            </li>
          ))}
      </ul>
      {loaded.state === 'failed' && <p class="wrong">{loaded.reason}</p>}
      <AllowHost />
      <p class="muted">
        A start with <code class="flag">--allow-host</code> does the same. Cloud metadata addresses never get
        anything.
      </p>
    </section>
  )
}

function AllowHost() {
  const host = useSignal('')
  const error = useSignal<string | undefined>(undefined)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const refused = await allowHost(host.value)
    error.value = refused && (refused.errors[0] ? `It ${refused.errors[0].message}.` : refused.message)
    if (refused === undefined) host.value = ''
  }
  return (
    <form class="form" onSubmit={submit}>
      <TextField
        label="Allow another host"
        hint="A name like staging.example.com, or *.example.com for those below it."
        value={host.value}
        error={error.value}
        onValue={(text) => {
          host.value = text
          error.value = undefined
        }}
      />
      <div class="actions">
        <button type="submit">Allow host</button>
      </div>
    </form>
  )
}
