import { newSchema } from './postgres.ts'
import { spawnSandbox } from './process.ts'

type Replica = Awaited<ReturnType<typeof spawnSandbox>>

/** Starts several processes that share a schema. The first one leads. */
export async function startReplicas(
  cwd: string,
  count: number,
  args: readonly string[] = [],
  schema = newSchema(),
) {
  const all: Replica[] = []
  const start = async (db = schema.url, ...more: readonly string[]): Promise<Replica> => {
    const replica = await spawnSandbox(['--port', '0', '--replicas', '--db', db, ...args, ...more], { cwd })
    all.push(replica)
    return replica
  }
  async function end(): Promise<void> {
    await Promise.all(all.map((replica) => replica[Symbol.asyncDispose]()))
    await schema[Symbol.asyncDispose]()
  }
  try {
    for (let started = 0; started < count; started++) await start()
  } catch (error) {
    await end()
    throw error
  }
  return { all, schema, start, [Symbol.asyncDispose]: end }
}

/** What a replica does: `leader`, `follower`, `none` or `stopping`. */
export async function roleOf(url: string): Promise<string> {
  const health = (await (await fetch(`${url}/_sandbox/health`)).json()) as { replica: { role: string } }
  return health.replica.role
}
