import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { CheckOptions } from '../../contract/checks/check.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import type { CliIo } from '../io.ts'
import type { CheckFlags } from './check-flags.ts'

type OrderFunctions = Pick<CheckOptions, 'orderState' | 'createOrder'>

/** The absolute path of the module. */
export const moduleIn = (
  { 'order-state-module': file }: CheckFlags,
  { cwd = '' }: CliIo,
): string | undefined => (file === undefined ? undefined : resolve(cwd, file))

/** Loads a module whose default export is a function that returns the state of an order, or `{ orderState, createOrder }`. */
export async function loadOrderStateModule(file: string, { cwd = '' }: CliIo): Promise<OrderFunctions> {
  const path = resolve(cwd, file)
  const flag = `--order-state-module ${file}`
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
  if (!isFile) throw new UsageError(`${flag} is not a file. Pass a module of TypeScript or JavaScript.`)
  const { explainLoadError, loadModule } = await import('../../runtime/config/load-module.ts')
  const exported = await loadModule(path).catch((error: unknown) => {
    throw new UsageError(`${flag} cannot be run: ${explainLoadError(error, path, cwd)}.`)
  })
  if (isFunction<OrderFunctions['orderState']>(exported)) return { orderState: exported }
  const { orderState, createOrder, ...rest } = (exported ?? {}) as Record<string, unknown>
  const [unknown] = Object.keys(rest)
  if (
    isFunction<OrderFunctions['orderState']>(orderState) &&
    (createOrder === undefined || isFunction<OrderFunctions['createOrder']>(createOrder)) &&
    unknown === undefined
  ) {
    return { orderState, createOrder }
  }
  const problem = unknown === undefined ? 'has no such default export' : `exports an unknown key ${unknown}`
  throw new UsageError(
    `${flag} ${problem}. Write export default (order) => ({ paid: … }), or export default { orderState: (order) => ({ paid: … }), createOrder: () => … }.`,
  )
}

const isFunction = <Type>(value: unknown): value is NonNullable<Type> => typeof value === 'function'
