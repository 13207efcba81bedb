import { isIP } from 'node:net'
import { UsageError } from '../domain/text/usage-error.ts'

/** Beyond loopback the sandbox asks for a token, or everybody on the network could steer it. */
export function refuseExposed(host: string, adminToken: string | undefined): void {
  if (isOnlyHere(host) || (adminToken !== undefined && adminToken !== '')) return
  throw new UsageError(
    `Listening on ${host} lets others on the network in. Pass --admin-token with a secret of your own, or leave out --host.`,
  )
}

/** Where nobody is asked for a token, one that opens some tunnels would only seem to guard them. */
export function refuseUnasked(place: string, adminToken: string | undefined): void {
  if (adminToken !== undefined && adminToken !== '') return
  throw new UsageError(
    `${place} guards nothing without an admin token: everybody who gets in may listen. Pass --admin-token with a secret of your own too.`,
  )
}

/** The token of a team opens every tunnel whose name begins with the team's and a dash: no other team may be among them. */
export function refuseOverlap(teams: readonly string[]): void {
  for (const team of teams) {
    const other = teams.find((one) => one.startsWith(`${team}-`))
    if (other === undefined) continue
    throw new UsageError(
      `The tunnel token of ${team} would open the tunnels of ${other} too. Give one of them another name.`,
    )
  }
}

/** Whether only this machine reaches what listens on a host. */
export const isOnlyHere = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
