import { type AddedFields, placeholdersIn } from '../state/read-order-state.ts'

export interface WantedOrder {
  /** Identifies the order in the app. Two clicks on the same order send the same text. */
  readonly order: string
  /** In euros. */
  readonly amount: number
  readonly note: string
  readonly added?: AddedFields | undefined
}

export const orderPlaceholders = ['order', 'amount', 'note'] as const satisfies readonly (keyof WantedOrder)[]

const PLACEHOLDER = new RegExp(`\\{(${orderPlaceholders.join('|')}|form:[^}]+)\\}`, 'g')

const isJson = (template: string): boolean => /^\s*[[{]\s*["[{\]}]/.test(template)

/**
 * Fills in the body of the request that places an order. In JSON, quotes around a placeholder make its value a text.
 * `{form:name}` is the value of a field in the order's form.
 */
export const fillOrderBody = (
  template: string,
  order: WantedOrder,
  fields: Readonly<Record<string, string>>,
): string => {
  if (!isJson(template)) {
    const body = fill(template, order, fields, encodeURIComponent)
    const added = Object.entries(order.added ?? {}).map(
      ([name, value]) => `&${encodeURIComponent(name)}=${value}`,
    )
    return `${body}${added.join('')}`
  }
  const body = fill(template, order, fields, (text) => JSON.stringify(text).slice(1, -1))
  return order.added === undefined ? body : addToJson(body, order.added)
}

/** Adds fields to an object. Other bodies stay as they are. */
const addToJson = (body: string, added: AddedFields): string =>
  body.replace(/^\s*\{(?=\s*")/, `{${JSON.stringify(added).slice(1, -1)},`)

export const fillOrderUrl = (template: string, order: WantedOrder): string =>
  fill(template, order, {}, encodeURIComponent)

/** Names of fields that describe the customer. A name such as `addressType` or `mailOptIn` does not end like these. */
const PERSONAL_NAME =
  /(?:(?:first|last|sur|full|family|given|customer|buyer|street)[-_ ]?name|mail|address|adresse|street|phone(?:[-_ ]?(?:number|no))?|birth(?:[-_ ]?(?:day|date|place))?|iban)(?:[-_ ]?line)?[-_ ]?\d*\]?$/i

/** Places of fields in a customer or in an address, such as `customer.name`, `address.line1` and `billing_city`. */
const PERSONAL_PLACE =
  /(?:^|[._-])(?:(?:customer|buyer|client|contact|person|recipient|billing|shipping|delivery|address|adresse)[._-]name|(?:billing|shipping|delivery|invoice|address|adresse)[._-](?:line[-_ ]?\d?|city|town|zip|post(?:al)?[-_ ]?code))$/i

/** `place` is the path of a field, such as `address.line1`. In a form, this is `address[line1]`. */
const isPersonal = (place: string): boolean => PERSONAL_NAME.test(place) || PERSONAL_PLACE.test(place)

/** Shorter values, such as a house number, can be on any page by chance. */
const MIN_PERSONAL_LENGTH = 6

/**
 * The values of an order's body that describe the customer, such as name and address. Leaves out values that differ between
 * orders.
 */
export function personalValues(template = ''): string[] {
  const [values, others] = [1, 2].map((number) => personalValuesIn(filledWith(template, number)))
  return values!.filter((value) => others!.includes(value))
}

/** The template with different values for different numbers. */
function filledWith(template: string, number: number): string {
  const names = [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name.replace('form:', ''))
  const fields = Object.fromEntries(names.map((name) => [name, String(number)]))
  return fillOrderBody(template, { order: `${number}`, amount: number, note: `${number}` }, fields)
}

function personalValuesIn(body: string): string[] {
  const names: string[] = []
  const visit = (place: string, value: unknown): void => {
    if (typeof value === 'object' && value !== null)
      for (const [name, field] of Object.entries(value))
        visit(place === '' ? name : `${place}.${name}`, field)
    else if (typeof value === 'string' && isPersonal(place) && value.length >= MIN_PERSONAL_LENGTH)
      names.push(value)
  }
  if (!isJson(body))
    for (const [name, value] of new URLSearchParams(body)) visit(name.replace(/\[([^\]]*)\]/g, '.$1'), value)
  else {
    try {
      visit('', JSON.parse(body))
    } catch {
      // The app says what is wrong with the body.
    }
  }
  return names
}

/** Whether the check chooses a value, because the URL or the body of the order contains it. */
export const isChosenByCheck = (
  name: keyof WantedOrder,
  templates: readonly (string | undefined)[],
): boolean => templates.some((template) => template !== undefined && placeholdersIn(template).includes(name))

const fill = (
  template: string,
  order: WantedOrder,
  fields: Readonly<Record<string, string>>,
  encode: (text: string) => string,
): string =>
  template.replace(PLACEHOLDER, (_all, name: string) =>
    encode(
      name.startsWith('form:') ? (fields[name.slice(5)] ?? '') : String(order[name as keyof WantedOrder]),
    ),
  )
