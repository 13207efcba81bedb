import { lazy } from '../components/lazy.tsx'

const FirstRun = lazy(async () => (await import('./first-run.tsx')).FirstRun, 'empty')

/** Shown instead of an empty list: the first steps, or in a report what is missing. */
export const NothingYet = ({ what }: { readonly what: 'requests' | 'payments' }) =>
  CAN_ACT ? (
    <FirstRun title={`No ${what} yet`} />
  ) : (
    <div class="hint">
      <h2>No {what}</h2>
    </div>
  )
