import { openDatabase } from '../../server/store/open-database.ts'
import { Store } from '../../server/store/store.ts'

const fail = (error: unknown): never => {
  throw error
}

/** Opens a store whose clock stands still. `onError` gets the errors that no caller gets. */
export async function openStore({
  file = ':memory:',
  onError = fail,
}: { file?: string; onError?: (error: unknown) => void } = {}) {
  const database = await openDatabase(file)
  const { snapshots } = database
  const store = new Store(database, () => new Date('2026-07-01T10:00:00Z'), onError)
  const close = () => database.close()
  return { store, snapshots, close, [Symbol.asyncDispose]: close }
}
