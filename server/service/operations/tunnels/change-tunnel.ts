import { noSubject } from '../../../domain/links/subject.ts'
import type { TunnelAnswer } from '../../../domain/network/tunnel.ts'
import * as capturedRequests from '../../../store/repositories/captured-requests.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import * as tunnels from '../../../store/repositories/tunnels.ts'

/** Sets the response to requests that no listener answers. */
export async function setTunnelAnswer(work: UnitOfWork, tunnel: string, answer: TunnelAnswer): Promise<void> {
  await tunnels.saveAnswer(work.db, tunnel, answer)
  const { status, delayMs } = answer
  await work.record({ type: 'tunnel.changed', ...noSubject, tunnel, status, delayMs })
}

/** Removes the captured requests of a tunnel, and returns their number. Their events stay in the journal. */
export async function clearTunnel(work: UnitOfWork, tunnel: string): Promise<number> {
  const count = await capturedRequests.removeUpTo(work.db, tunnel)
  await work.record({ type: 'tunnel.cleared', ...noSubject, tunnel, count })
  return count
}
