import { Hono } from 'hono'
import { Readable } from 'node:stream'
import { z } from 'zod'
import type { NodeEnv } from '../../http/node-env.ts'
import { MIB } from '../../http/read-body.ts'
import { assertUploadAllowed, saveUpload } from '../../operations/state/snapshots.ts'
import type { ControlContext } from '../context.ts'
import { query } from '../requests/input.ts'
import { notFound, Problem } from '../requests/problem.ts'
import { SnapshotSchema } from '../../contract/schemas/snapshot.ts'
import { validateSnapshotName, snapshotPath } from './snapshots.ts'
import { describeRoute } from '../requests/describe-route.ts'

const MAX_MEBIBYTES = 512

const Placing = z.strictObject({
  replace: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'Whether it may take the place of one that has the name already.' }),
})

const SQLITE = 'application/vnd.sqlite3'

/** Snapshots as files, out and in. They go through piece by piece, and have no limit but the disk's and one of size. */
export const snapshotFileRoutes = ({ store, snapshots }: ControlContext) =>
  new Hono<NodeEnv>()
    .get(
      '/:name/file',
      describeRoute({
        summary: 'Download a snapshot',
        description: 'A SQLite file, which another sandbox takes.',
        path: snapshotPath,
        answers: { 200: SQLITE },
        problems: [404],
      }),
      (c) => {
        const name = validateSnapshotName(c.req.param('name'))
        const snapshot = snapshots.find(name)
        if (!snapshot) {
          throw notFound(`There is no snapshot ${name}. GET /_sandbox/v1/snapshots lists them.`)
        }
        const headers = {
          'content-type': SQLITE,
          'content-disposition': `attachment; filename="${name}.db"`,
          'content-length': String(snapshot.size),
          'cache-control': 'no-store',
        }
        if (c.req.method === 'HEAD') return c.body(null, 200, headers)
        return c.body(Readable.toWeb(snapshots.read(name)) as ReadableStream, 200, headers)
      },
    )
    .put(
      '/:name/file',
      describeRoute({
        summary: 'Upload a snapshot',
        description: 'Up to 512 MiB of what GET gives, by whatever sandbox of this version or an older one.',
        path: snapshotPath,
        file: SQLITE,
        answers: { 201: SnapshotSchema },
        problems: [404, 409, 422],
      }),
      query(Placing),
      async (c) => {
        const name = validateSnapshotName(c.req.param('name'))
        const replace = c.req.valid('query').replace === 'true'
        const announced = Number(c.req.header('content-length') ?? 0)
        if (announced > MAX_MEBIBYTES * MIB) throw tooLarge()
        assertUploadAllowed(snapshots, name, replace)

        // Loaded by whoever needs it, as a start should not wait for all those schemas.
        const { checkRow } = await import('../requests/snapshot-rows.ts')
        const upload = await snapshots.receive(name, bounded(c.env.incoming), checkRow)
        try {
          return c.json(
            await store.transact(async (work) => saveUpload(work, snapshots, name, upload, replace)),
            201,
          )
        } finally {
          upload.discard()
        }
      },
    )

const tooLarge = (): Problem =>
  new Problem(413, 'Too large', `A snapshot to upload should be at most ${MAX_MEBIBYTES} MiB.`)

/** Whatever length was announced, no more than this comes through. */
async function* bounded(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > MAX_MEBIBYTES * MIB) throw tooLarge()
    yield chunk
  }
}
