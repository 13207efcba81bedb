import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { METHODS, type Content, type Schema } from '../../server/openapi/document.ts'
import { documents } from '../support/documents.ts'

/** What asks nothing cannot be refused, and a stream is no 2xx. */
const OFF = { 'operation-4xx-response': 'off', 'operation-2xx-response': 'off' } as const

const problemsIn = async (document: object): Promise<string[]> => {
  const config = await createConfig({ extends: ['recommended'], rules: OFF })
  const found = await lintFromString({ source: JSON.stringify(document), config })
  return found.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
}

test.each(['api', 'control'] as const)(
  'a linter has nothing against the document of the %s',
  async (name) => {
    const { document } = (await documents())[name]
    expect(await problemsIn(document)).toEqual([])
  },
)

test('the linter would find a mistake', async () => {
  const { document } = (await documents()).api
  expect(await problemsIn({ ...document, servers: 'here' })).not.toEqual([])
})

/** Every example of some content, with the place of its schema. */
const examplesIn = (content: Content | undefined, place: readonly string[]) =>
  Object.entries(content ?? {}).flatMap(([type, { schema, examples }]) => [
    ...Object.values(examples ?? {}).map(({ value }) => ({ value, place: [...place, type, 'schema'] })),
    ...(schema.examples ?? []).map((value) => ({ value, place: [...place, type, 'schema'] })),
  ])

test.each(['api', 'control'] as const)('every example in the document of the %s is valid', async (name) => {
  const { document, problemsOf } = (await documents())[name]
  const items = [
    ...Object.entries(document.paths).map(([path, item]) => ({ place: ['paths', path], item })),
    ...Object.entries(document.webhooks ?? {}).map(([path, item]) => ({ place: ['webhooks', path], item })),
  ]
  const examples = items.flatMap(({ place, item }) =>
    METHODS.flatMap((method) => {
      const { requestBody, responses = {}, parameters = [] } = item[method] ?? {}
      const here = [...place, method]
      return [
        ...examplesIn(requestBody?.content, [...here, 'requestBody', 'content']),
        ...Object.entries(responses).flatMap(([status, { content }]) =>
          examplesIn(content, [...here, 'responses', status, 'content']),
        ),
        ...parameters.flatMap(({ schema }, index) =>
          fieldExamples(schema, [...here, 'parameters', String(index), 'schema']),
        ),
        ...Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema }]) =>
          fieldExamples(schema, [...here, 'requestBody', 'content', type, 'schema']),
        ),
      ]
    }),
  )
  expect(examples.length).toBeGreaterThan(10)
  for (const { value, place } of examples) {
    expect([place.join('/'), value, problemsOf(value, ...place)]).toEqual([place.join('/'), value, []])
  }
})

/** The examples of a schema and of all that is inside it. */
function fieldExamples(
  schema: Schema,
  place: readonly string[],
): { readonly value: unknown; readonly place: readonly string[] }[] {
  return [
    ...(schema.examples ?? []).map((value) => ({ value, place })),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
      fieldExamples(inner, [...place, 'properties', name]),
    ),
    ...(typeof schema.items === 'object' ? fieldExamples(schema.items, [...place, 'items']) : []),
  ]
}
