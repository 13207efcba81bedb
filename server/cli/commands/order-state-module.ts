import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { CheckOptions } from '../../contract/check.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import type { CliIo } from '../io.ts'

type Oracle = Pick<CheckOptions, 'oracle' | 'createOrder'>

/** Loads a module whose default export tells of orders: a function, or `{ state, createOrder }`. */
export async function readOracle(file: string, { cwd = '' }: CliIo): Promise<Oracle> {
  const path = resolve(cwd, file)
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
  if (!isFile) throw new UsageError(`--oracle ${file} is no file. Name a module of TypeScript or JavaScript.`)
  const { explainFailure, loadModule } = await import('../../config/load-module.ts')
  const exported = await loadModule(path).catch((error: unknown) => {
    throw new UsageError(`--oracle ${file} cannot be run: ${explainFailure(error, path, cwd)}.`)
  })
  if (isOracle(exported)) return { oracle: exported }
  const { state, createOrder, ...rest } = (exported ?? {}) as Record<string, unknown>
  const [stray] = Object.keys(rest)
  if (isOracle(state) && (createOrder === undefined || isMaker(createOrder)) && stray === undefined) {
    return { oracle: state, createOrder }
  }
  throw new UsageError(
    `--oracle ${file} ${stray === undefined ? 'exports no oracle by default' : `exports ${stray}, which nobody asks for`}. Write export default (order) => ({ paid: … }), or export default { state: (order) => ({ paid: … }), createOrder: () => … }.`,
  )
}

const isOracle = (value: unknown): value is NonNullable<Oracle['oracle']> => typeof value === 'function'
const isMaker = (value: unknown): value is NonNullable<Oracle['createOrder']> => typeof value === 'function'
