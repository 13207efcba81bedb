import type { CheckedOrder, Probe } from '../../contract/checks/check.ts'
import type { SeenProblem } from '../app/run/failure.ts'

/** Thrown to fail a case. */
export class CaseFailure extends Error {
  override readonly name = 'CaseFailure'
  readonly seenProblem: SeenProblem
  readonly order: CheckedOrder
  readonly probe: Probe | undefined

  constructor(seenProblem: SeenProblem, order: CheckedOrder, probe?: Probe) {
    super(seenProblem.seen)
    this.seenProblem = seenProblem
    this.order = order
    this.probe = probe
  }
}

/** Runs `check`. If it fails, the failure's text starts with `subject`: the order, or what happened before. */
export async function checkWith(subject: string, check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (!(error instanceof CaseFailure)) throw error
    const { seenProblem, order, probe } = error
    const { seen, cause = seen } = seenProblem
    throw new CaseFailure({ ...seenProblem, seen: `${subject}, ${seen}`, cause }, order, probe)
  }
}
