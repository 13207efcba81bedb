/** Properties with values from style sheets, which a copied picture must contain. */
const SHAPE_PROPERTIES = ['fill', 'stroke', 'stroke-width'] as const
const TEXT_PROPERTIES = [
  ...SHAPE_PROPERTIES,
  'stroke-linejoin',
  'paint-order',
  'font-family',
  'font-size',
  'font-weight',
] as const

/** A rendered diagram as an SVG file, in the colors of the page, without links and references. */
export function toSvgFile(svg: SVGSVGElement, title: string): string {
  const copy = svg.cloneNode(true) as SVGSVGElement
  const originals = [...svg.querySelectorAll<SVGElement>('*')]
  const copies = [...copy.querySelectorAll<SVGElement>('*')]
  originals.forEach((original, index) => resolveStyle(original, copies[index]!))
  for (const link of copy.querySelectorAll('a')) link.replaceWith(...link.childNodes)
  for (const area of copy.querySelectorAll('rect[fill="none"]')) area.remove()

  for (const name of copy.getAttributeNames()) {
    if (!['width', 'height', 'viewBox'].includes(name)) copy.removeAttribute(name)
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.prepend(
    svgElement('title', { textContent: title }),
    svgElement('rect', { width: '100%', height: '100%', fill: backgroundOf(svg) }),
  )
  return new XMLSerializer().serializeToString(copy)
}

function resolveStyle(original: SVGElement, copy: SVGElement): void {
  for (const name of copy.getAttributeNames()) {
    if (/^(class|role|data-|aria-|unicode-bidi)/.test(name)) copy.removeAttribute(name)
  }
  if (original.localName === 'g' || original.localName === 'a') return
  const style = getComputedStyle(original)
  for (const name of original.localName === 'text' ? TEXT_PROPERTIES : SHAPE_PROPERTIES) {
    const value = style.getPropertyValue(name)
    copy.setAttribute(name, isTransparent(value) ? 'none' : value)
  }
}

const isTransparent = (color: string): boolean => color === 'transparent' || /^rgba\(.*, 0\)$/.test(color)

/** The color behind an element. */
function backgroundOf(element: Element): string {
  for (let one: Element | null = element; one; one = one.parentElement) {
    const { backgroundColor } = getComputedStyle(one)
    if (!isTransparent(backgroundColor)) return backgroundColor
  }
  return '#ffffff'
}

function svgElement(name: string, { textContent = '', ...attributes }: Record<string, string>): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  element.textContent = textContent
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  return element
}
