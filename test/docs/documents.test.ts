import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { describe, expect, test } from 'vitest'
import { METHODS, type Content, type SchemaObject } from '../../server/platform/openapi/document.ts'
import { documents } from '../support/documents.ts'

/** The problems that a linter finds with all of its recommended rules. */
const linters = {
  async Redocly(document: object): Promise<string[]> {
    const config = await createConfig({ extends: ['recommended'] })
    const found = await lintFromString({ source: JSON.stringify(document), config })
    return found.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
  },

  async Spectral(document: object): Promise<string[]> {
    const spectral = new spectralCore.Spectral()
    // Spectral declares types that are narrower than its own rules.
    spectral.setRuleset({ extends: [[oas as RulesetDefinition, 'recommended']] })
    const found = await spectral.run(JSON.stringify(document))
    return found.map(({ code, message, path }) => `${code}: ${message} ${path.join('/')}`)
  },
}

const linterNames = Object.keys(linters) as (keyof typeof linters)[]

test.each(linterNames.flatMap((linter) => [[linter, 'api'] as const, [linter, 'control'] as const]))(
  'the linter %s finds no problem in the document of the %s API',
  async (linter, name) => {
    const { document } = (await documents())[name]
    expect(await linters[linter](document)).toEqual([])
  },
)

test.each(linterNames)('the linter %s reports a broken document', async (linter) => {
  const { document } = (await documents()).api
  expect(await linters[linter]({ ...document, servers: 'here' })).not.toEqual([])
})

/** Every example of a content object, with the path of its schema. */
const examplesIn = (content: Content | undefined, place: readonly string[]) =>
  Object.entries(content ?? {}).flatMap(([type, { schema, examples }]) => [
    ...Object.values(examples ?? {}).map(({ value }) => ({ value, place: [...place, type, 'schema'] })),
    ...(schema.examples ?? []).map((value) => ({ value, place: [...place, type, 'schema'] })),
  ])

test.each(['api', 'control'] as const)(
  'every example in the document of the %s API is valid',
  async (name) => {
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
  },
)

/** The examples in a schema and in all schemas below it. */
function fieldExamples(
  schema: SchemaObject,
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

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The number of characters of a value as JSON, after `expand` has replaced objects in it. If a list has `maxItems: n`, its item type
 * counts n times, because a generator that writes tuples repeats the item type.
 */
function lengthOf(
  value: unknown,
  expand: (object: Record<string, unknown>) => unknown = (object) => object,
): number {
  if (Array.isArray(value)) {
    return value.reduce<number>((length, item) => length + lengthOf(item, expand) + 1, 2)
  }
  if (!isRecord(value)) return JSON.stringify(value).length
  const expanded = expand(value)
  if (expanded !== value) return lengthOf(expanded, expand)
  return Object.entries(value).reduce((length, [key, inner]) => {
    const times = key === 'items' && typeof value.maxItems === 'number' ? value.maxItems : 1
    return length + key.length + 4 + times * lengthOf(inner, expand)
  }, 2)
}

describe.each(['api', 'control'] as const)('%s API', (name) => {
  test('the document of the API has less than 300,000 characters', async () => {
    const { document } = (await documents())[name]
    expect(JSON.stringify(document).length).toBeLessThan(300_000)
  })

  test('the document of the API stays small if a generator writes each list as a tuple', async () => {
    const { document } = (await documents())[name]
    expect(lengthOf(document)).toBeLessThan(1_000_000)
  })

  test('the document of the API stays small if a generator replaces each reference with its schema', async () => {
    const { document } = (await documents())[name]
    const withSchema = (object: Record<string, unknown>): unknown => {
      const component = /^#\/components\/schemas\/(\w+)$/.exec(String(object.$ref))?.[1]
      return component === undefined ? object : document.components.schemas[component]
    }
    expect(lengthOf(document, withSchema)).toBeLessThan(3_000_000)
  })
})
