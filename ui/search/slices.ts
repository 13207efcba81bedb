import { computed, signal, type ReadonlySignal } from '@preact/signals'

/** Short enough that typing stays smooth while many items are tested. */
export const SLICE_MS = 10
/** By then, the page has shown what the user typed. Completing a long list sooner would hold up this frame. */
const FRAME_MS = 20
/** The clock is read once for this many steps. */
export const STEPS_PER_CHECK = 256

/** Divides long work, so that the page handles the user's input between two slices. Use it inside a computed signal. */
export function createSlices(sliceMs: number) {
  /** Increases when the work may continue. */
  const slice = signal(0)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isFirst = true
  return {
    /** Begins new work. Its second slice waits until the page has shown what the user typed. */
    restart(): void {
      isFirst = true
    },
    /** Begins a slice. Returns a function that says whether it is over. */
    begin(): () => boolean {
      const deadline = performance.now() + sliceMs
      return () => performance.now() > deadline
    },
    /** Computes the signal again after the user's input. */
    continueLater(): void {
      clearTimeout(timer)
      const next = slice.value + 1
      timer = setTimeout(() => (slice.value = next), isFirst ? FRAME_MS : 0)
      isFirst = false
    },
    /** Computes the signal again when it is read next. */
    continueNow(): void {
      slice.value += 1
    },
  }
}

/** Work that yields after each item. */
export type Steps<Result> = Generator<undefined, Result>

interface SlicedWork<Result> {
  /** The result of the last work that is complete. */
  readonly shown: ReadonlySignal<Result>
  /** Completes the work at once, before something is done with its result. */
  complete(): Result
}

/**
 * Works through a list in slices, except for the first time. A new query starts again. A new list waits until the work on the old one
 * is complete, because lists may change often.
 */
export function workInSlices<Items, Result>(
  read: () => { readonly query: string; readonly items: Items },
  work: (query: string, items: Items) => Steps<Result>,
): SlicedWork<Result> {
  const { restart, begin, continueLater, continueNow } = createSlices(SLICE_MS)
  let isUrgent = true
  let result: Result
  let running: Steps<Result> | undefined
  let current: ReturnType<typeof read> | undefined

  const shown = computed(() => {
    const next = read()
    if (next.query !== current?.query || (next.items !== current.items && !running)) {
      if (next.query !== current?.query) restart()
      current = next
      running = work(next.query, next.items)
    }
    const isOver = begin()
    for (let step = 1; running && (isUrgent || step % STEPS_PER_CHECK !== 0 || !isOver()); step++) {
      const { done, value } = running.next()
      if (done !== true) continue
      result = value
      running = undefined
    }
    isUrgent = false
    if (running || next.items !== current.items) continueLater()
    return result
  })
  return {
    shown,
    complete() {
      isUrgent = true
      continueNow()
      return shown.value
    },
  }
}
