import { Hono } from 'hono'
import { Readable } from 'node:stream'
import { z } from 'zod'
import type { NodeEnv } from '../../platform/http/node-env.ts'
import { SNAPSHOT_EXTENSION } from '../../domain/state/snapshot.ts'
import { MIB } from '../../domain/http/limits.ts'
import { assertUploadAllowed, saveUpload } from '../../service/operations/state/snapshots.ts'
import type { ControlContext } from '../context.ts'
import { flag } from '../requests/query-params.ts'
import { query } from '../requests/validators.ts'
import { unknownId, Problem } from '../requests/problem.ts'
import { SnapshotSchema } from '../../contract/schemas/snapshot.ts'
import { snapshotParams, validateSnapshotName } from './snapshots.ts'
import { describeRoute } from '../requests/describe-route.ts'

const MAX_MEBIBYTES = 512

const UploadQuery = z.strictObject({
  replace: flag.meta({ description: 'Whether to replace a snapshot of this name.' }),
})

const GZIP = 'application/gzip'

/** Downloads and uploads of snapshots. The files are streamed, never held in memory as a whole. */
export const snapshotFileRoutes = ({ store, snapshots }: ControlContext) =>
  new Hono<NodeEnv>()
    .get(
      '/:name/file',
      describeRoute({
        summary: 'Download a snapshot',
        description:
          'A file with a line of JSON for each row, compressed by gzip. It can be uploaded to another sandbox of this version.',
        params: snapshotParams,
        responses: { 200: GZIP },
        errors: [404],
      }),
      (c) => {
        const name = validateSnapshotName(c.req.param('name'))
        const snapshot = snapshots.find(name)
        if (!snapshot) throw unknownId('snapshot', name, 'GET /snapshots')
        const headers = {
          'content-type': GZIP,
          'content-disposition': `attachment; filename="${name}${SNAPSHOT_EXTENSION}"`,
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
        description: `A downloaded snapshot of at most ${MAX_MEBIBYTES} MiB, from a sandbox of this version.`,
        params: snapshotParams,
        bodyType: GZIP,
        responses: { 201: SnapshotSchema },
        errors: [404, 409, 422],
      }),
      query(UploadQuery),
      async (c) => {
        const name = validateSnapshotName(c.req.param('name'))
        const { replace } = c.req.valid('query')
        const contentLength = Number(c.req.header('content-length') ?? 0)
        if (contentLength > MAX_MEBIBYTES * MIB) throw tooLarge()
        assertUploadAllowed(snapshots, name, replace)

        // Loaded on demand, because creating the schemas of all tables would delay startup.
        const { checkRow } = await import('../snapshots/check-row.ts')
        const upload = await snapshots.receive(name, limitSize(c.env.incoming), checkRow)
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
  new Problem(413, `The snapshot is too large. It may have at most ${MAX_MEBIBYTES} MiB.`)

/** Counts the bytes as they arrive, because `Content-Length` may be missing. */
async function* limitSize(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > MAX_MEBIBYTES * MIB) throw tooLarge()
    yield chunk
  }
}
