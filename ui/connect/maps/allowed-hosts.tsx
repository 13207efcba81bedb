import { useSignal } from '@preact/signals'
import { catchSandboxError, singleFieldError } from '../../data/api.ts'
import { TextField } from '../../components/field.tsx'
import { addAllowedHost, egressRules, removeAllowedHost } from '../../data/egress-rules.ts'
import { useError } from '../../data/use-error.ts'

/** The public hosts that webhooks may be sent to. */
export function AllowedHostList() {
  const loaded = egressRules.value
  return (
    <section aria-labelledby="allowed-hosts">
      <h2 id="allowed-hosts">Allowed hosts</h2>
      <ul class="plain">
        <li>this machine: 127.0.0.1, ::1, localhost and *.localhost</li>
        <li>private networks: 10.*, 172.16.* to 172.31.*, 192.168.*, fc00::/7, host.docker.internal</li>
        {loaded.state === 'loaded' &&
          loaded.value.allowedHosts.map((host) => (
            <li key={host}>
              {host}{' '}
              <button
                type="button"
                class="small danger-text allowed"
                aria-label={`Remove ${host} from the allowed hosts`}
                onClick={() => removeAllowedHost(host)}
              >
                Remove
              </button>
            </li>
          ))}
      </ul>
      {loaded.state === 'failed' && <p class="error">{loaded.reason}</p>}
      <AllowHostForm />
      <p class="muted">
        The option <code class="flag">--allow-host</code> does the same. Webhooks to cloud metadata addresses
        are never sent.
      </p>
    </section>
  )
}

function AllowHostForm() {
  const host = useSignal('')
  const error = useError()
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const failure = await catchSandboxError(() => addAllowedHost(host.value))
    error.value = failure && singleFieldError(failure)
    if (!failure) host.value = ''
  }
  return (
    <form class="form" onSubmit={submit}>
      <TextField
        label="Allow another host"
        hint="A name like staging.example.com, or *.example.com for its subdomains."
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
