import type { DeliveryJob } from './delivery-job.ts'

/** A commit that takes deliveries, which resolves with them when it is durable. */
interface TakingCommit {
  /** How many deliveries it takes at most. */
  readonly most: number
  readonly jobs: Promise<readonly DeliveryJob[]>
}

/** The deliveries of a target that were taken and not sent yet, in sequence, including those that running commits take. */
export class TakenAhead {
  readonly #unsent: DeliveryJob[] = []
  /** In sequence, because commits are. */
  readonly #takings: TakingCommit[] = []

  /** How many there will be at most, when all commits have ended. */
  get most(): number {
    return this.#takings.reduce((sum, { most }) => sum + most, this.#unsent.length)
  }

  add(most: number, jobs: Promise<readonly DeliveryJob[]>): void {
    // A failure is reported by `next`, which may not wait for this commit yet.
    jobs.catch(() => {})
    this.#takings.push({ most, jobs })
  }

  /**
   * Removes the next delivery, unless the signal is aborted. If necessary, waits for a commit that takes it. Rejects if that commit
   * fails.
   */
  async next(signal: AbortSignal): Promise<DeliveryJob | undefined> {
    while (this.#unsent.length === 0) {
      const taking = this.#takings.shift()
      if (taking === undefined) return undefined
      this.#unsent.push(...(await taking.jobs))
    }
    return signal.aborted ? undefined : this.#unsent.shift()
  }

  /** Removes all deliveries, after all commits have ended. */
  async takeAll(): Promise<readonly DeliveryJob[]> {
    const ended = await Promise.allSettled(this.#takings.splice(0).map(({ jobs }) => jobs))
    const further = ended.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    return [...this.#unsent.splice(0), ...further]
  }
}
