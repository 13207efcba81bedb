import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'
import { asSentence } from '../../server/domain/text/as-sentence.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** An error text as it stands in the code. `<…>` stands for a value. */
export interface ErrorText {
  readonly text: string
  readonly area: string
  /** The file and the line. */
  readonly place: string
}

/** The classes of errors that users read. The number says which argument is the text. */
const CLASSES: Readonly<Record<string, number>> = {
  UsageError: 0,
  DatabaseError: 0,
  CheckError: 0,
  ListenerRejectedError: 0,
  SandboxError: 0,
  ToolError: 0,
  TypeError: 0,
  Problem: 1,
}

interface Node {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)

function* walk(node: Node): Generator<Node> {
  yield node
  for (const child of childrenOf(node)) yield* walk(child)
}

/** A function of the code that returns one expression, or a constant. */
interface Definition {
  readonly parameters: readonly Node[]
  readonly value: Node
  readonly file: SourceFile
}

/** A function of the code that can return several texts. */
interface TextFunction {
  readonly parameters: readonly Node[]
  readonly returned: readonly Node[]
  readonly file: SourceFile
}

interface SourceFile {
  readonly path: string
  readonly code: string
  readonly program: Node
  readonly definitions: ReadonlyMap<string, Definition>
  readonly functions: ReadonlyMap<string, TextFunction>
  /** Where the imported names are defined. */
  readonly imported: ReadonlyMap<string, string>
}

type Files = ReadonlyMap<string, SourceFile>

/**
 * Every error text of the code, ordered by area. The area `reasons` has the texts of functions that explain something: some are
 * part of an error that is built elsewhere.
 */
export function listErrors(): ErrorText[] {
  const files = ['server', 'ui'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => readSource(`${folder}/${path}`)),
  )
  const byPath: Files = new Map(files.map((file) => [file.path, file]))
  const errors = files.flatMap((file) => errorsIn(file, byPath))
  return errors.toSorted((a, b) => a.area.localeCompare(b.area) || a.place.localeCompare(b.place))
}

function readSource(path: string): SourceFile {
  const code = readFileSync(join(root, path), 'utf8')
  const program = parseAst(code, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node
  const definitions = new Map<string, Definition>()
  const functions = new Map<string, TextFunction>()
  const imported = new Map<string, string>()
  const file = { path, code, program, definitions, functions, imported }
  for (const node of walk(program)) {
    if (node.type === 'ImportDeclaration') {
      const source = posix.join(posix.dirname(path), String((node.source as Node).value))
      for (const { local } of node.specifiers as Node[]) imported.set(nameOf(local), source)
    } else if (node.type === 'VariableDeclarator' && nameOf(node.id) !== '' && isNode(node.init)) {
      const definition = definitionOf(node.init, file)
      // Several functions may have a constant of this name, so its text is not known.
      const isRepeated = definitions.has(nameOf(node.id)) && definition.parameters.length === 0
      definitions.set(nameOf(node.id), isRepeated ? { ...definition, value: node } : definition)
      const { type, body, params } = node.init
      if (type === 'ArrowFunctionExpression' && isNode(body))
        functions.set(nameOf(node.id), { parameters: params as Node[], returned: allReturnedBy(body), file })
    } else if (node.type === 'FunctionDeclaration') {
      const parameters = node.params as Node[]
      functions.set(nameOf(node.id), { parameters, returned: allReturnedBy(node.body as Node), file })
      const returned = returnedBy(node.body as Node)
      if (returned) definitions.set(nameOf(node.id), { parameters, value: returned, file })
    }
  }
  return file
}

function definitionOf(init: Node, file: SourceFile): Definition {
  if (init.type !== 'ArrowFunctionExpression') return { parameters: [], value: init, file }
  const body = init.body as Node
  const value = body.type === 'BlockStatement' ? (returnedBy(body) ?? init) : body
  return { parameters: init.params as Node[], value, file }
}

/** What the last statement of a body returns or throws. */
function returnedBy(body: Node): Node | undefined {
  const last = (body.body as Node[]).at(-1)
  return last && isNode(last.argument) ? last.argument : undefined
}

/** Everything that a function returns itself, without what the functions inside it return. */
function allReturnedBy(body: Node): Node[] {
  if (!/Statement$|^SwitchCase$|^CatchClause$/.test(body.type)) return [body]
  if (body.type === 'ReturnStatement') return isNode(body.argument) ? [body.argument] : []
  return childrenOf(body)
    .filter(({ type }) => /(?<!Expression)Statement$|^SwitchCase$|^CatchClause$/.test(type))
    .flatMap(allReturnedBy)
}

/** Whether an expression contains more than one word of a text. */
const hasWords = ({ type, value, quasis, consequent, alternate }: Node): boolean =>
  (type === 'Literal' && typeof value === 'string' && value.includes(' ')) ||
  (type === 'TemplateLiteral' &&
    (quasis as { value: { cooked: string } }[]).some((quasi) => quasi.value.cooked.includes(' '))) ||
  (type === 'ConditionalExpression' && (hasWords(consequent as Node) || hasWords(alternate as Node)))

const nameOf = (node: unknown): string =>
  isNode(node) && node.type === 'Identifier' ? (node.name as string) : ''

type Values = ReadonlyMap<string, readonly string[]>

function errorsIn(file: SourceFile, files: Files): ErrorText[] {
  const errors: ErrorText[] = []
  const add = (node: Node, texts: readonly string[]): void => {
    const line = file.code.slice(0, node.start).split('\n').length
    const area = areaOf(file.path)
    for (const text of texts) errors.push({ text, area, place: `${file.path}:${line}` })
  }
  for (const [name, { returned }] of file.functions) {
    if (!file.path.startsWith('server/') || !/^(?:why|validate|explain)[A-Z]/.test(name)) continue
    const line = (node: Node) => file.code.slice(0, node.start).split('\n').length
    for (const part of returned.filter(hasWords)) {
      for (const text of textsOf(part, file, files, new Map()))
        errors.push({ text, area: 'reasons', place: `${file.path}:${line(part)}` })
    }
  }
  for (const node of walk(file.program)) {
    if (node.type === 'NewExpression' && nameOf(node.callee) in CLASSES) {
      const argument = (node.arguments as Node[])[CLASSES[nameOf(node.callee)]!]
      // A function that makes errors has a complete text only in its calls.
      if (argument && !isInMaker(file, node)) add(node, textsOf(argument, file, files, new Map()))
    } else if (node.type === 'CallExpression' && ['own', 'documented'].includes(nameOf(node.callee))) {
      const text = (node.arguments as Node[]).at(-1)!
      // The control API and the checkout add the full stop.
      add(node, textsOf(text, file, files, new Map()).map(asSentence))
    } else if (node.type === 'Property' && nameOf(node.key) === 'error' && isInSchema(file.path)) {
      const text = node.value as Node
      if (isTextual(text))
        add(
          node,
          textsOf(text, file, files, new Map()).map((clause) => asSentence(`<field> ${clause}`)),
        )
    } else if (node.type === 'CallExpression' && nameOf(node.callee) !== 'showToast') {
      const maker = makerOf(node, file, files)
      if (maker === undefined || isInMaker(file, node)) continue
      add(node, textsOfMade(maker, node, file, files, new Map()))
    } else if (node.type === 'CallExpression' && nameOf(node.callee) === 'showToast') {
      const [toast] = node.arguments as Node[]
      const text =
        toast?.type === 'ObjectExpression' &&
        textOfProperty(toast, 'tone') === 'err' &&
        property(toast, 'text')
      if (text) add(node, textsOf(text, file, files, new Map()))
    }
  }
  return errors
}

const property = (node: Node, key: string): Node | undefined =>
  (node.properties as Node[]).find((entry) => nameOf(entry.key) === key)?.value as Node | undefined

const textOfProperty = (node: Node, key: string): unknown => property(node, key)?.value

/** Whether a function makes an error from a part of its text. */
const isMaker = ({ parameters, value }: Definition): boolean => {
  if (parameters.length === 0 || nameOf(value.callee) === '') return false
  if (value.type !== 'NewExpression' && value.type !== 'CallExpression') return false
  const isError = value.type === 'NewExpression' && nameOf(value.callee) in CLASSES
  return isError || MAKERS.has(nameOf(value.callee))
}

/** Functions that make errors for other functions that make errors. */
const MAKERS = new Set(['invalid', 'notFound', 'withRemedy'])

/** The function that creates the error of a call, in this file or another file. */
function makerOf(
  { callee }: Node,
  { definitions, imported }: SourceFile,
  files: Files,
): Definition | undefined {
  const own = definitions.get(nameOf(callee))
  if (own) return isMaker(own) ? own : undefined
  const found = files.get(imported.get(nameOf(callee)) ?? '')?.definitions.get(nameOf(callee))
  return found && isMaker(found) ? found : undefined
}

const isInMaker = (file: SourceFile, node: Node): boolean =>
  [...file.definitions.values()].some((definition) => isMaker(definition) && definition.value === node)

function textsOfMade(
  maker: Definition,
  call: Node,
  file: SourceFile,
  files: Files,
  values: Values,
): string[] {
  const bound = bind(maker.parameters, call, file, files, values)
  const { value } = maker
  if (value.type === 'CallExpression') {
    const inner = makerOf(value, maker.file, files)
    return inner ? textsOfMade(inner, value, maker.file, files, bound) : []
  }
  const argument = (value.arguments as Node[])[CLASSES[nameOf(value.callee)]!]
  return argument ? textsOf(argument, maker.file, files, bound) : []
}

/** The texts that a call passes for each parameter. */
function bind(
  parameters: readonly Node[],
  call: Node,
  file: SourceFile,
  files: Files,
  values: Values,
): Map<string, string[]> {
  const passed = call.arguments as Node[]
  return new Map(
    parameters.map((parameter, index) => {
      const argument = passed[index]
      return [nameOf(parameter), argument ? textsOf(argument, file, files, values) : ['']] as const
    }),
  )
}

/** The function that a call gets its text from. Descriptions of values remain placeholders. */
function textFunctionOf({ callee }: Node, file: SourceFile, files: Files): TextFunction | undefined {
  const name = nameOf(callee)
  if (name.startsWith('describe')) return undefined
  const called = file.functions.get(name) ?? files.get(file.imported.get(name) ?? '')?.functions.get(name)
  return called?.returned.some(hasWords) ? called : undefined
}

const isInSchema = (path: string): boolean => /^server\/(?:contract|control)\//.test(path)

const MAX_TEXTS = 12

/** The possible texts of an expression. */
function textsOf(node: Node, file: SourceFile, files: Files, values: Values): string[] {
  const inner = (part: unknown): string[] => textsOf(part as Node, file, files, values)
  switch (node.type) {
    case 'Literal':
      return node.value === null ? [] : [String(node.value)]
    case 'TemplateLiteral': {
      const expressions = (node.expressions as Node[]).map(inner)
      return (node.quasis as { value: { cooked: string } }[]).reduce(
        (texts, { value }, index) => combine(combine(texts, [value.cooked]), expressions[index] ?? ['']),
        [''],
      )
    }
    case 'ObjectExpression': {
      const reason = property(node, 'reason')
      return reason ? inner(reason) : [placeholder(node, file)]
    }
    case 'AwaitExpression':
      return inner(node.argument)
    case 'BinaryExpression':
      if (node.operator !== '+') return [placeholder(node, file)]
      return combine(inner(node.left), inner(node.right))
    case 'ConditionalExpression':
      return [...inner(node.consequent), ...inner(node.alternate)]
    case 'LogicalExpression':
      return inner(node.operator === '&&' ? node.right : node.left)
    case 'ArrowFunctionExpression':
      return isNode(node.body) && node.body.type !== 'BlockStatement'
        ? inner(node.body)
        : allReturnedBy(node.body as Node).flatMap(inner)
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'ParenthesizedExpression':
      return inner(node.expression)
    case 'Identifier': {
      if (nameOf(node) === 'undefined') return []
      const bound = values.get(nameOf(node))
      if (bound) return [...bound]
      const constant = file.definitions.get(nameOf(node))
      if (!constant || constant.parameters.length > 0) return [placeholder(node, file)]
      const isText = isTextual(constant.value) || textFunctionOf(constant.value, file, files) !== undefined
      return isText ? textsOf(constant.value, file, files, values) : [placeholder(node, file)]
    }
    case 'CallExpression': {
      const [first] = node.arguments as Node[]
      if (nameOf(node.callee) === 'option' && first?.type === 'Literal') return [`--${String(first.value)}`]
      const called = textFunctionOf(node, file, files)
      // A function that calls itself, directly or through another, is expanded once.
      const marker = `${nameOf(node.callee)}()`
      if (called === undefined || values.has(marker)) return [placeholder(node, file)]
      const markers = [...values].filter(([key]) => key.endsWith('()'))
      const passed = bind(called.parameters, node, file, files, values)
      const bound: Values = new Map([...passed, ...markers, [marker, []]])
      return called.returned.flatMap((text) => textsOf(text, called.file, files, bound)).slice(0, MAX_TEXTS)
    }
    default:
      return [placeholder(node, file)]
  }
}

const isTextual = ({ type, value }: Node): boolean =>
  (type === 'Literal' && (typeof value === 'string' || value === null)) ||
  type === 'TemplateLiteral' ||
  type === 'ConditionalExpression'

const combine = (left: readonly string[], right: readonly string[]): string[] =>
  left.flatMap((before) => right.map((after) => before + after)).slice(0, MAX_TEXTS)

const placeholder = ({ start, end }: Node, { code }: SourceFile): string =>
  `<${code.slice(start, end as number).replaceAll(/\s+/g, ' ')}>`

const AREAS: readonly (readonly [folder: string, area: string])[] = [
  ['server/verify/calibration', 'calibrate'],
  ['server/cli/calibrate', 'calibrate'],
  ['server/verify', 'checks'],
  ['server/contract/checks', 'checks'],
  ['server/mcp', 'MCP'],
  ['server/control', 'control API'],
  ['server/contract', 'control API'],
  ['server/domain/api', 'emulated API'],
  ['server/service', 'control API'],
  ['server/cli', 'command line'],
  ['server/client', 'client'],
  ['server/package', 'client'],
  ['ui', 'inspector'],
  ['server', 'start, files and database'],
]

const areaOf = (path: string): string => AREAS.find(([folder]) => path.startsWith(`${folder}/`))![1]
