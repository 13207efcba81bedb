import { existsSync } from 'node:fs'
import { variableIn } from './environment.ts'

const CONTAINER_FILES = ['/.dockerenv', '/run/.containerenv']

/** Whether this process runs in a container of Docker or Podman. `PAYLINK_CONTAINER` overrides this with 1 or 0. */
export function runsInContainer(env = process.env): boolean {
  const said = variableIn(env, 'PAYLINK_CONTAINER')
  return said === '1' || (said !== '0' && CONTAINER_FILES.some((path) => existsSync(path)))
}
