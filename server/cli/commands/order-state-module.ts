import { resolve } from 'node:path'
import type { CheckOptions } from '../../contract/checks/check.ts'
import { isRecord } from '../../domain/text/is-object.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import type { CliIo } from '../io.ts'
import type { CheckFlags } from './check-flags.ts'

type OrderFunctions = Pick<CheckOptions, 'orderState' | 'createOrder'>

export const moduleIn = (
  { 'order-state-module': file }: CheckFlags,
  { cwd = '' }: CliIo,
): string | undefined => (file === undefined ? undefined : resolve(cwd, file))

/** Loads a module whose default export is a function that returns the state of an order, or `{ orderState, createOrder }`. */
export async function loadOrderStateModule(file: string, { cwd = '' }: CliIo): Promise<OrderFunctions> {
  const flag = `--order-state-module ${file}`
  const { runModule } = await import('../../runtime/config/load-module.ts')
  const refuse = (why: string): UsageError =>
    new UsageError(`${flag} cannot be run: ${why}. Pass a TypeScript or JavaScript module.`)
  const exported = await runModule(resolve(cwd, file), { refuse, cwd }, functionsIn)
  if (typeof exported !== 'string') return exported
  throw new UsageError(
    `${flag} ${exported}. Write export default (order) => ({ paid: … }), or export default { orderState: (order) => ({ paid: … }), createOrder: () => … }.`,
  )
}

/** The functions that a module exports, or an error message. */
function functionsIn(exported: unknown): OrderFunctions | string {
  if (isFunction<OrderFunctions['orderState']>(exported)) return { orderState: exported }
  const { orderState, createOrder, ...rest } = isRecord(exported) ? exported : {}
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) return `exports an unknown key ${unknown}`
  return isFunction<OrderFunctions['orderState']>(orderState) &&
    (createOrder === undefined || isFunction<OrderFunctions['createOrder']>(createOrder))
    ? { orderState, createOrder }
    : 'has no such default export'
}

const isFunction = <Type>(value: unknown): value is NonNullable<Type> => typeof value === 'function'
