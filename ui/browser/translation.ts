import { options } from 'preact'

/** Elements whose text is data or code, so that no browser may translate it. `bdi` contains texts of users. */
const LITERAL = new Set(['bdi', 'code', 'kbd', 'pre', 'time'])

/**
 * Keeps the page working while a browser translates it. A translation replaces each text with a `font` element. Preact would
 * then change the replaced text, which nobody sees, and could not insert anything before it. So this puts the text node back,
 * empty, beside its translation. When Preact changes or removes the text node, the translation is removed.
 */
export function surviveTranslation(): void {
  const next = options.vnode
  options.vnode = (vnode) => {
    const { type, props } = vnode
    if (typeof type === 'string' && LITERAL.has(type)) Object.assign(props, { translate: false })
    // An SVG element has only the attribute, and no property with this name.
    if (type === 'svg') Object.assign(props, { translate: 'no' })
    next?.(vnode)
  }
  new MutationObserver((records) => {
    for (const record of records) {
      if (record.type === 'characterData') handleChange(record)
      else {
        for (const node of record.removedNodes) handleRemoval(node, record)
        for (const node of record.addedNodes) handleMove(node)
      }
    }
  }).observe(document, { subtree: true, childList: true, characterDataOldValue: true })
}

interface Translation {
  readonly font: Element
  readonly original: string
}

const translations = new WeakMap<Node, Translation>()
const textOf = new WeakMap<Node, Text>()

/** Either the browser has replaced a text, or Preact has removed a text that was replaced before. */
function handleRemoval(node: Node, { addedNodes, previousSibling, nextSibling }: MutationRecord): void {
  const shown = textOf.get(node)
  const ended = shown && translations.get(shown)
  // The browser has ended the translation.
  if (ended && shown.data === '' && !node.isConnected) shown.data = ended.original
  if (!(node instanceof Text) || node.isConnected) return
  if (translations.has(node)) endTranslation(node)
  const font = [...addedNodes, previousSibling, nextSibling].find(
    (near): near is Element =>
      near instanceof Element && near.localName === 'font' && near.isConnected && !textOf.has(near),
  )
  if (font === undefined) return
  translations.set(node, { font, original: node.data })
  textOf.set(font, node)
  node.data = ''
  font.before(node)
}

/** Handles a text that Preact has changed. Ignores the changes that `handleRemoval` makes. */
function handleChange({ target, oldValue }: MutationRecord): void {
  if (target instanceof Text && (target.data !== '' || oldValue === '')) endTranslation(target)
}

function handleMove(node: Node): void {
  const translation = translations.get(node)
  if (translation && node.nextSibling !== translation.font) (node as Text).after(translation.font)
}

function endTranslation(text: Text): void {
  const translation = translations.get(text)
  if (!translation) return
  translations.delete(text)
  translation.font.remove()
}
