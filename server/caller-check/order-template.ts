import { placeholdersIn } from '../receiver-check/read-order-state.ts'
import type { Order } from './caller-case.ts'

const PLACEHOLDER = /\{(order|amount|note)\}/g

export const orderPlaceholders = ['order', 'amount', 'note'] as const

export const DEFAULT_ORDER_BODY = '{"order":"{order}","amount":{amount},"note":"{note}"}'

const isJson = (template: string): boolean => /^\s*[[{]\s*["[{\]}]/.test(template)

/** Fills in the body of the POST that places an order. In JSON, quotes around a placeholder make its value a text. */
export const fillOrderBody = (template = DEFAULT_ORDER_BODY, order: Order): string =>
  fill(template, order, isJson(template) ? (text) => JSON.stringify(text).slice(1, -1) : encodeURIComponent)

export const fillOrderUrl = (template: string, order: Order): string =>
  fill(template, order, encodeURIComponent)

/** Whether the check chooses a value, because the URL or the body of the order contains it. */
export const isChosenByCheck = (
  name: (typeof orderPlaceholders)[number],
  orderUrl: string,
  orderBody = DEFAULT_ORDER_BODY,
): boolean => [orderUrl, orderBody].some((template) => placeholdersIn(template).includes(name))

const fill = (template: string, order: Order, encode: (text: string) => string): string =>
  template.replace(PLACEHOLDER, (_all, name: keyof Order) => encode(String(order[name])))
