import type { SeedInput } from '../domain/state/seed-input.ts'
import type { BehaviorSettings } from '../domain/behaviors/behavior.ts'

/** What a configuration file says: the flags of `start`, by their names in camel case. */
export interface SandboxConfig {
  /** Port to listen on, 0 for a free one. By default 4400. */
  readonly port?: number | string
  /** Address to listen on, by default 127.0.0.1. Beyond loopback it takes `adminToken`. */
  readonly host?: string
  /** Database file from the working directory, or `:memory:`. By default `.paylink/sandbox.db`. */
  readonly db?: string
  /** What a new database begins with and a reset goes back to, or the name of a JSON file with it. */
  readonly seed?: SeedInput | string
  /** How many events the journal keeps, the newest ones, 0 for all. By default 50000. */
  readonly keep?: number | string
  /** Base of the links in answers. By default the address a request came by. */
  readonly publicUrl?: string
  /** Hosts that webhooks may go to, beyond this machine and private networks. */
  readonly allowHost?: readonly string[]
  /** What is meant for an origin goes elsewhere: `{ 'https://shop.example.com': 'http://localhost:3000' }`. */
  readonly maps?: Readonly<Record<string, string>>
  /** What the API reference leaves open. */
  readonly behaviors?: Partial<BehaviorSettings>
  /** What the clock shows at the start, an ISO time with its zone. */
  readonly clock?: string
  /** Asked for by the inspector and the control API. */
  readonly adminToken?: string
  /** Tokens that let somebody listen at the tunnels of one team only, like `ada=secret`. */
  readonly tunnelToken?: readonly string[]
  /** Serves https, with a certificate of its own that is made once and kept beside the database. */
  readonly tls?: boolean
  /** PEM file of a certificate to serve https with. */
  readonly tlsCert?: string
  /** PEM file of its key. */
  readonly tlsKey?: string
  /** Opens the inspector in the default browser. */
  readonly open?: boolean
  /** Writes JSON lines to stdout, text for people to stderr. */
  readonly json?: boolean
  /** Prints nothing but the ready line. */
  readonly quiet?: boolean
}

/** A configuration, or how to get one. */
export type SandboxConfigExport = SandboxConfig | (() => SandboxConfig | Promise<SandboxConfig>)

/** Gives back what it is given, so that an editor knows the keys of a `paylink.config.ts`. */
export const defineConfig = (config: SandboxConfigExport): SandboxConfigExport => config
