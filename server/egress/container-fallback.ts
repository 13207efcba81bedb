import { CONNECTION_REFUSED } from '../domain/webhooks/delivery.ts'
import { isLoopback } from '../domain/network/loopback.ts'
import type { FindContainerHost } from './container-host.ts'
import type { Post } from './post.ts'

/**
 * Posts what a container's own localhost refuses to the machine that the container runs on, where the developer's
 * app is. Only what was refused, so that nothing arrives twice, and nothing that is meant for the sandbox.
 */
export const withContainerFallback =
  (post: Post, findHost: FindContainerHost, ownPort: () => number): Post =>
  async (url, addresses, webhook, signal) => {
    const attempt = await post(url, addresses, webhook, signal)
    const isElsewhere = !isLoopback(url.href) || portOf(url) === ownPort()
    if (isElsewhere || attempt.error?.startsWith(CONNECTION_REFUSED) !== true) return attempt
    const host = await findHost()
    if (host === undefined) return attempt

    const retried = await post(url, [host], webhook, signal)
    const ms = attempt.ms + retried.ms
    if (retried.error === null) return { ...retried, ms, via: host.address }
    const there = `${host.address}, the machine that the container runs on`
    const error = retried.error.startsWith(CONNECTION_REFUSED)
      ? `${attempt.error}, nor at ${there}`
      : `${attempt.error}; at ${there}: ${retried.error}`
    return { ...retried, ms, error }
  }

const portOf = ({ protocol, port }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))
