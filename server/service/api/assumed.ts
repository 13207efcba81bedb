import type { z } from 'zod'
import type { AssumptionName } from '../../domain/behaviors/open-points.ts'
import type { SchemaObject } from '../../platform/openapi/document.ts'

type AssumedKeywords = { readonly [Name in AssumptionName]?: readonly string[] }

/**
 * Marks parts of a field that the API reference does not define, each with its open point. A part is a keyword of the field's
 * schema, or `field` if the reference does not mention the field.
 */
export function assume<Type extends z.ZodType>(
  type: Type,
  point: AssumptionName,
  ...parts: readonly (keyof SchemaObject | 'field')[]
): Type {
  const assumed = type.meta()?.['x-sandbox-assumed'] as AssumedKeywords | undefined
  return type.meta({ 'x-sandbox-assumed': { ...assumed, [point]: [...(assumed?.[point] ?? []), ...parts] } })
}

/** Marks fields that the API reference does not have. */
export const assumeFields = <Shape extends z.ZodRawShape>(shape: Shape, point: AssumptionName): Shape =>
  Object.fromEntries(
    Object.entries(shape).map(([name, type]) => [name, assume(type as z.ZodType, point, 'field')]),
  ) as z.ZodRawShape as Shape
