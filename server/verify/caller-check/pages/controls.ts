import { decodeEscapes } from '../../../domain/text/decode-escapes.ts'
import { attributeIn, fieldsIn } from '../../app/orders/form-fields.ts'
import type { PageAnswer } from '../../app/orders/open-page.ts'
import { visibleText } from '../../app/orders/page-says.ts'

/** A link or a button of a page that leads to another page of the app. */
export interface Control {
  readonly label: string
  readonly url: string
  /** Missing if the browser sends a GET. */
  readonly body?: string
  /** Whether customers type something into the form. */
  readonly isFilledIn: boolean
}

const CONTROL = /<form\b([^>]*)>([^]*?)<\/form>|<a\b([^>]*\bhref[^>]*)>([^]*?)<\/a>/gi

const BUTTON = /<button\b([^>]*)>([^]*?)<\/button>|<input\b([^>]*\btype=["']?(?:submit|image)\b[^>]*)>/gi

/** An input that is filled in already may stay as it is. */
const TYPED =
  /<textarea\b|<input\b(?![^>]*\btype=["']?(?:hidden|radio|checkbox|submit|image|button)\b)(?![^>]*\bvalue=(?:"[^"]|'[^'])[^>]*>)/i

const labelIn = (html: string): string => visibleText({ text: decodeEscapes(html) })

export function controlsIn({ text: page, url: address }: PageAnswer): readonly Control[] {
  const addressed = (target = ''): string | undefined => {
    const url = URL.canParse(target, address) ? new URL(target, address) : undefined
    return url?.origin === new URL(address).origin ? url.href : undefined
  }
  return [...page.matchAll(CONTROL)].flatMap(([, ofForm, content = '', ofLink, said = '']): Control[] => {
    if (ofLink !== undefined) {
      const url = addressed(attributeIn(ofLink, 'href'))
      const isElsewhere = url === undefined || url.split('#')[0] === address.split('#')[0]
      return isElsewhere ? [] : [{ label: labelIn(said), url, isFilledIn: false }]
    }
    const form = ofForm ?? ''
    const fields = fieldsIn(content.replace(BUTTON, ''))
    const isFilledIn = TYPED.test(content)
    return [...content.matchAll(BUTTON)].flatMap(([, ofButton, inside, ofInput]): Control[] => {
      const attributes = ofButton ?? ofInput ?? ''
      const url = addressed(attributeIn(attributes, 'formaction') ?? attributeIn(form, 'action'))
      const value = attributeIn(attributes, 'value') ?? ''
      const isScripted = /\btype=["']?(?:button|reset)\b/i.test(attributes)
      if (url === undefined || isScripted) return []
      const name = attributeIn(attributes, 'name')
      const body = new URLSearchParams(name === undefined ? fields : { ...fields, [name]: value }).toString()
      const isPosted = /^post$/i.test(attributeIn(form, 'method') ?? '')
      const target = isPosted ? { url, body } : { url: Object.assign(new URL(url), { search: body }).href }
      return [{ label: labelIn(inside ?? value), ...target, isFilledIn }]
    })
  })
}
