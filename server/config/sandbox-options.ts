import type { SeedInput } from '../domain/state/seed-input.ts'
import type { BehaviorChoices } from '../domain/behaviors/behavior.ts'
import type { DnsLookup } from '../domain/network/dns.ts'
import type { RecordedEvent, EventOf } from '../domain/events/event.ts'

export interface SandboxOptions {
  /** 0, the default, finds a free one. */
  readonly port?: number
  readonly host?: string
  /** A file, or `:memory:`, the default. */
  readonly db?: string
  /** What a new database begins with and a reset goes back to, or the name of a file with it. */
  readonly seed?: SeedInput | string | undefined
  /** How many events the journal keeps, the newest ones, 0 for all: 50000. */
  readonly keep?: number
  /** The base of links in answers. By default the address a request came by. */
  readonly publicUrl?: string | undefined
  /** Hosts that webhooks may go to, beyond this machine and private networks. */
  readonly allowedHosts?: readonly string[]
  /** What is meant for an origin goes elsewhere: `{ 'https://shop.example.com': 'http://localhost:3000' }`. */
  readonly maps?: Readonly<Record<string, string>>
  /** Behaviors to start with, for the whole sandbox. */
  readonly behaviors?: BehaviorChoices
  readonly adminToken?: string | undefined
  /** Tokens that let somebody listen at the tunnels `<team>` and `<team>-…` only, by the team. */
  readonly tunnelTokens?: Readonly<Record<string, string>>
  /** Serves https, with a certificate of its own that is made once and kept beside the database. */
  readonly tls?: boolean
  /** PEM file of a certificate to serve https with. */
  readonly tlsCert?: string | undefined
  /** PEM file of its key. */
  readonly tlsKey?: string | undefined
  /** How long a receiver may take to answer, in milliseconds. */
  readonly deliveryTimeoutMs?: number
  /** How often a quiet stream gives a sign of life, in milliseconds. */
  readonly aliveEveryMs?: number
  /** How often both ends of a listener's connection give a sign of life, in milliseconds. */
  readonly heartbeatMs?: number
  /** The machine's time, from which the sandbox's clock is reckoned. */
  readonly now?: () => Date
  /** What the sandbox's clock shows at the start, an ISO time with its zone. By default it goes on as it was set. */
  readonly clock?: string | undefined
  /** Whether it runs in a container, whose localhost is not the machine's. Found out by itself. */
  readonly isInContainer?: boolean
  /** How webhooks find the addresses of a host name. By default as the machine does. */
  readonly lookup?: DnsLookup
  /** Told of what is found about what integrators send and answer, and of the event that it is about. */
  readonly onDiagnostic?: (found: RecordedEvent<EventOf<'diagnostic.found'>>, about?: RecordedEvent) => void
  /** Told of every failure of the sandbox itself. */
  readonly onError?: (error: unknown) => void
}
