import { info } from './info.ts'

/** Where webhooks may go by themselves. */
export function Outlets() {
  const loaded = info.value
  return (
    <section aria-labelledby="outlets">
      <h2 id="outlets">Where webhooks may go</h2>
      <ul class="plain">
        <li>this machine: 127.0.0.1, ::1, localhost and every *.localhost</li>
        <li>private networks: 10.*, 172.16.* to 172.31.*, 192.168.*, fc00::/7, host.docker.internal</li>
        {loaded.state === 'loaded' && loaded.value.allowedHosts.map((host) => <li key={host}>{host}</li>)}
      </ul>
      <p class="muted">
        {loaded.state === 'failed' && loaded.reason}
        {loaded.state === 'loaded' &&
          `${loaded.value.allowedHosts.length === 0 ? 'No other host is allowed. ' : ''}Start the sandbox with --allow-host <host> for more. Cloud metadata addresses never get anything.`}
      </p>
    </section>
  )
}
