import { aboutNothing } from '../../server/domain/events.ts'
import { textBody } from '../../server/domain/exchange.ts'
import { openDatabase } from '../../server/store/database.ts'
import { Store } from '../../server/store/store.ts'
import { openSandbox } from './sandbox.ts'

/** Records so many calls in a new database, sooner than they could be made. */
export async function fillWithCalls(file: string, count: number): Promise<void> {
  // The first sandbox on a database empties it.
  await (await openSandbox({ db: file })).close()
  const database = await openDatabase(file)
  const store = new Store(database.db, () => new Date())
  await store.transact(async (work) => {
    for (let index = 0; index < count; index++) {
      const operation = `operation${index}`
      const path = `/api/v2/${operation}`
      const call = {
        operation,
        method: 'POST',
        path,
        status: 200,
        code: 0,
        message: 'Unknown',
        ms: 1,
      } as const
      const request = { method: 'POST', url: `http://localhost${path}`, headers: [], body: textBody('{}') }
      await work.record(
        { type: 'call.answered', ...aboutNothing, ...call, assumed: [] },
        { request, response: null },
      )
    }
  })
  await database.close()
}
