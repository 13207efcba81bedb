import type { SandboxSettings } from './config/read-options.ts'
import { reachableHost } from '../domain/network/loopback.ts'

export const originOf = ({ host, tls, tlsCert }: SandboxSettings, port: number): string =>
  `${tls || tlsCert !== undefined ? 'https' : 'http'}://${reachableHost(host)}:${port}`
