import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { CheckOptions } from '../../contract/check.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import type { CliIo } from '../io.ts'

type OrderFunctions = Pick<CheckOptions, 'oracle' | 'createOrder'>

/** Loads a module whose default export is a function that returns the state of an order, or `{ state, createOrder }`. */
export async function loadOrderStateModule(file: string, { cwd = '' }: CliIo): Promise<OrderFunctions> {
  const path = resolve(cwd, file)
  const flag = `--order-state-module ${file}`
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
  if (!isFile) throw new UsageError(`${flag} is not a file. Pass a module of TypeScript or JavaScript.`)
  const { explainFailure, loadModule } = await import('../../config/load-module.ts')
  const exported = await loadModule(path).catch((error: unknown) => {
    throw new UsageError(`${flag} cannot be run: ${explainFailure(error, path, cwd)}.`)
  })
  if (isFunction<OrderFunctions['oracle']>(exported)) return { oracle: exported }
  const { state, createOrder, ...rest } = (exported ?? {}) as Record<string, unknown>
  const [unknown] = Object.keys(rest)
  if (
    isFunction<OrderFunctions['oracle']>(state) &&
    (createOrder === undefined || isFunction<OrderFunctions['createOrder']>(createOrder)) &&
    unknown === undefined
  ) {
    return { oracle: state, createOrder }
  }
  const problem = unknown === undefined ? 'has no such default export' : `exports an unknown key ${unknown}`
  throw new UsageError(
    `${flag} ${problem}. Write export default (order) => ({ paid: … }), or export default { state: (order) => ({ paid: … }), createOrder: () => … }.`,
  )
}

const isFunction = <Type>(value: unknown): value is NonNullable<Type> => typeof value === 'function'
