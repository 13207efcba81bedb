import { z } from 'zod'
import { plainIssue } from '../contract/schemas/plain-issue.ts'
import { isBehaviorValue, behaviorNames, describeOptions } from '../domain/behaviors/behavior.ts'
import { didYouMeanSentence } from '../domain/text/usage-error.ts'

/** Values for behaviors, as a configuration file and the options of `startSandbox` have them. */
const BehaviorKeys = z.strictObject(
  Object.fromEntries(
    behaviorNames.map((name) => [
      name,
      z
        .string({ error: `expected ${describeOptions(name)}` })
        .refine((value) => isBehaviorValue(name, value), { error: `expected ${describeOptions(name)}` })
        .optional(),
    ]),
  ),
)

/** Says what is wrong with a key or with its value, where `keys` are those that there may be. */
export function explainKey(where: string, keys: readonly string[], issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') {
    return `${where}: ${issue.path.join('.')}: ${plainIssue(issue)}.`
  }
  const key = issue.keys[0]!
  const known = issue.path.length === 0 ? keys : behaviorNames
  return `${where} has an unknown key ${[...issue.path, key].join('.')}.${didYouMeanSentence(key, known) || ` It takes ${known.join(', ')}.`}`
}

/** What a configuration file and `startSandbox` take alike. */
export const commonKeys = {
  host: z.string().optional(),
  db: z.string().optional(),
  seed: z
    .union([z.string(), z.record(z.string(), z.unknown())], {
      error: 'expected the name of a file, or a seed',
    })
    .optional(),
  publicUrl: z.string().optional(),
  maps: z
    .record(z.string(), z.string(), {
      error: "expected an object like { 'https://shop.example.com': 'http://localhost:3000' }",
    })
    .optional(),
  behaviors: BehaviorKeys.optional(),
  clock: z.string().optional(),
  adminToken: z.string().optional(),
  tls: z.boolean({ error: 'expected true or false' }).optional(),
  tlsCert: z.string().optional(),
  tlsKey: z.string().optional(),
}
