import { z } from 'zod'
import { whyNeverSent } from '../egress/egress-policy.ts'
import { parseHostPattern } from '../domain/network/allowed-host.ts'
import { isInClockRange } from '../domain/time/clock.ts'
import {
  validateMapFrom,
  validateMap,
  validateMapTo,
  findDuplicateMap,
} from '../domain/network/validate-map.ts'
import { normalizeMap, type OriginMap } from '../domain/network/origin-map.ts'
import { TUNNEL_NAME_PATTERN } from '../domain/network/tunnel.ts'
import { DATABASE, type Given } from './flags.ts'
import type { ResolveOwnPath } from '../domain/network/urls.ts'
import { UsageError } from '../domain/text/usage-error.ts'

export function readPort(given: Given): number {
  const port = Number(given.value)
  if (!/^\d+$/.test(String(given.value)) || port > 65_535) {
    throw new UsageError(`Port ${given.value} is not one. ${given.how} a number from 0 to 65535.`)
  }
  return port
}

/** A database server is no file, and SQLite would make folders of its URL. */
export function readDatabase({ value, place, how }: Given): string {
  const file = String(value)
  if (!/^[a-z][a-z\d+.-]+:\/\/|^(file|sqlite):/i.test(file)) return file
  // Without the value, as a URL may contain a password.
  throw new UsageError(
    `${place} is a URL, but the sandbox supports SQLite files only. ${how} the path of a file, like ${DATABASE}.`,
  )
}

/** How many events the journal keeps where nobody says. */
export const KEEP = 50_000

export function readKeep({ value, place }: Given): number {
  const text = String(value)
  if (/^\d{1,9}$/.test(text)) return Number(text)
  // As a value is told that begins with a dash.
  throw new UsageError(`${place} takes a whole number, 0 for all.`)
}

export function readClock({ value, how }: Given): string {
  const parsed = z.iso.datetime({ offset: true }).safeParse(value)
  if (!parsed.success || !isInClockRange(parsed.data)) {
    throw new UsageError(
      `Clock ${value} is no time. ${how} an ISO 8601 time and its zone, like 2026-12-01T00:00:00+01:00.`,
    )
  }
  return new Date(parsed.data).toISOString()
}

export function readAllowedHost(entry: string, { how }: Given): string {
  const host = parseHostPattern(entry)
  const objection = host === null ? null : whyNeverSent(host)
  if (objection !== null) throw new UsageError(`Host ${entry} cannot be allowed: ${objection}. Leave it out.`)
  if (host !== null) return host
  throw new UsageError(
    `Host ${entry} is not one. ${how} a name like shop.example, or *.shop.example for those below it.`,
  )
}

const MAP_EXAMPLE = 'https://shop.example.com=http://localhost:3000'

/** Reads maps, each an origin, `=`, and where it leads. */
export function readMaps(given: Given | undefined): readonly OriginMap[] {
  if (!given || !Array.isArray(given.value)) return []
  const maps = given.value.map((entry: string) => {
    const [from = '', to = ''] = entry.split(/=(.*)/s)
    refuseMap(entry, '', to === '' ? 'it leads nowhere' : null, given.how)
    refuseMap(entry, 'its origin ', validateMapFrom(from), given.how)
    refuseMap(entry, 'where it leads ', validateMapTo(to), given.how)
    return normalizeMap({ from, to })
  })
  const again = findDuplicateMap(maps)
  if (again < 0) return maps
  throw new UsageError(`${maps[again]!.from} is mapped twice by ${given.place}. Leave one of them out.`)
}

function refuseMap(entry: string, side: string, objection: string | null, how: string): void {
  if (objection === null) return
  throw new UsageError(`Map ${entry} cannot be used: ${side}${objection}. ${how} ${MAP_EXAMPLE}.`)
}

/** Maps that the control API would not take either. What they would be of is known only once the options are. */
export function refuseUselessMaps(maps: readonly OriginMap[], ownPath: ResolveOwnPath): void {
  for (const map of maps) {
    const objection = validateMap(map, ownPath, whyNeverSent)
    if (objection === null) continue
    throw new UsageError(`Map ${map.from}=${map.to} cannot be used: ${objection}.`)
  }
}

export function readPublicUrl({ value, how }: Given): string {
  const url = String(value)
  if (!/^https?:\/\/[^/?#]+\/?$/.test(url) || !URL.canParse(url)) {
    throw new UsageError(`Public URL ${url} is not one. ${how} an address like https://pay.example.`)
  }
  return new URL(url).origin
}

/** What is shorter is guessed by whoever tries for a while. */
const LEAST_TOKEN = 8

export function readAdminToken({ value, place, how }: Given): string {
  const token = String(value)
  if (token.length >= LEAST_TOKEN) return token
  // Without the value, as of every token.
  throw new UsageError(
    `${place} is too short to keep anybody out. ${how} at least ${LEAST_TOKEN} characters.`,
  )
}

export function readTunnelToken(entry: string, { how }: Given): [team: string, token: string] {
  const [team = '', token = ''] = entry.split(/=(.*)/s)
  if (!TUNNEL_NAME_PATTERN.test(team) || token === '') {
    throw new UsageError(
      `A tunnel token is not one. ${how} <team>=<token>, the team of small letters, digits and dashes.`,
    )
  }
  if (token.length >= LEAST_TOKEN) return [team, token]
  throw new UsageError(
    `The tunnel token of ${team} is too short to keep anybody out. ${how} ${team}=<token>, the token of at least ${LEAST_TOKEN} characters.`,
  )
}
