import { Hono } from 'hono'
import { z } from 'zod'
import { decodeHar, MAX_HAR_BYTES } from '../../domain/har/read-har.ts'
import { formatMebibytes } from '../../domain/http/limits.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import type { ImportView } from '../../contract/views.ts'
import { readonlyList, schemaFor } from '../../contract/schemas/fields.ts'
import type { NodeEnv } from '../../platform/http/node-env.ts'
import { readBody } from '../../platform/http/read-request.ts'
import type { ControlContext } from '../context.ts'
import { describeRoute } from '../requests/describe-route.ts'
import { invalid, Problem } from '../requests/problem.ts'
import { query } from '../requests/validators.ts'

const ImportQuery = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(200)
    .default('a HAR file')
    .meta({
      description: 'The name of the file, which the events show.',
      examples: ['checkout.har'],
    }),
  origin: z
    .url({ protocol: /^https?$/, error: 'should be an address like https://dev.pay.example' })
    .transform((url) => new URL(url).origin)
    .optional()
    .meta({ description: 'Only calls to this address.', examples: ['https://dev.pay.example'] }),
})

const Imported = schemaFor<ImportView>()(
  z.object({
    imported: z.int().meta({ description: 'How many calls were added to the journal.' }),
    different: z
      .int()
      .meta({ description: 'How many of them differ from what the sandbox would have answered.' }),
    comparisonSkipped: z
      .record(z.string(), z.int())
      .meta({ description: 'Why answers were not compared, each with the number of calls.' }),
    ignored: z
      .int()
      .meta({ description: 'How many requests are no calls of the API, or go to another address.' }),
    leftOut: readonlyList(
      z.object({
        place: z.string().meta({ examples: ['log.entries[3]'] }),
        reason: z.string().meta({ examples: ['it has no request'] }),
      }),
    ).meta({ description: 'The entries that cannot be read, each with the reason.' }),
  }),
)

export const importRoute = ({ importCalls }: ControlContext) =>
  new Hono<NodeEnv>().post(
    '/import.har',
    describeRoute({
      summary: 'Import calls from an HTTP Archive',
      description: `Adds the calls of the v2 API in a HAR file to the journal, with the time of the file. Each answer is compared with the sandbox's own. Entries that cannot be read are left out and listed. The file has at most ${formatMebibytes(MAX_HAR_BYTES)}.`,
      bodyType: 'application/json',
      responses: { 201: Imported },
      errors: [422],
    }),
    query(ImportQuery),
    async (c) => {
      const { name, origin } = c.req.valid('query')
      const { bytes, tooLarge } = await readBody(c, MAX_HAR_BYTES)
      if (tooLarge)
        throw new Problem(
          413,
          `The file is too large. It may have at most ${formatMebibytes(MAX_HAR_BYTES)}.`,
        )
      try {
        return c.json(await importCalls(decodeHar(bytes), { name, origin, signal: c.req.raw.signal }), 201)
      } catch (error) {
        throw error instanceof UsageError ? invalid(error.message) : error
      }
    },
  )
