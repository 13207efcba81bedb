import { isLoopback } from '../../domain/network/loopback.ts'
import { portOf } from '../../domain/network/urls.ts'
import type { FindContainerHost } from './container-host.ts'
import type { Post } from './post.ts'

/**
 * For a sandbox in a container. If localhost, which is the container, refuses a POST, it is sent to the host machine, where the
 * developer's app listens. After any other failure, it is not sent again, so that nothing arrives twice. `ownPort` is the port of
 * the sandbox: a POST to this port is meant for the sandbox itself.
 */
export const withContainerFallback =
  (post: Post, findHost: FindContainerHost, ownPort: () => number): Post =>
  async (url, addresses, webhook, signal) => {
    const attempt = await post(url, addresses, webhook, signal)
    if (attempt.errorCode !== 'connectionRefused') return attempt
    const isForApp = isLoopback(url.href) && portOf(url) !== ownPort()
    if (!isForApp) return attempt
    const host = await findHost()
    if (host === undefined) return attempt

    const retried = await post(url, [host], webhook, signal)
    const ms = attempt.ms + retried.ms
    if (retried.error === null) return { ...retried, ms, via: host.address }
    const there = `${host.address}, the machine that the container runs on`
    const error =
      retried.errorCode === 'connectionRefused'
        ? `${attempt.error} or at ${there}`
        : `${attempt.error}; at ${there}: ${retried.error}`
    return { ...retried, ms, error, errorCode: attempt.errorCode }
  }
