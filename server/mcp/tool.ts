import type {
  CallToolResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Sandbox } from '../client/connect-sandbox.ts'
import { listKeysAt } from '../contract/schemas/keys-at.ts'
import { MAX_ERRORS, explainWithValue, plainMessages } from '../contract/schemas/plain-issue.ts'
import { nearestName } from '../domain/text/closest-match.ts'
import { toResult, type ToolAnswer } from './answer.ts'
import type { SandboxConnection } from './connection.ts'
import { explainFailure, ToolError } from './explain-failure.ts'
import { inspectorLinks, type InspectorLinks } from './inspector-links.ts'

/** The sandbox and the account that a tool acts on. */
export interface ToolContext {
  readonly sandbox: Sandbox
  readonly inspector: InspectorLinks
  readonly readText: SandboxConnection['readText']
  /** Aborts when the client cancels the call. */
  readonly signal: AbortSignal
  /** Reports the progress of a long call to the client. */
  readonly progress: (done: number, message: string) => void
}

/** What a call of a tool can change. Clients use this to decide whether to ask the user before a call. */
interface Effect {
  /** `reads` changes nothing. `adds` only adds something. `changes` may also change, decide or remove something. */
  readonly kind: 'reads' | 'adds' | 'changes'
  /** Whether a second call with the same input changes nothing more. */
  readonly isIdempotent?: boolean
  /** Whether a call can make the sandbox send a request to the app, which may be on another machine. */
  readonly reachesApp?: boolean
}

/** The schema of every tool's answer. Describes foreign texts only as a whole, and keeps them apart. */
const outputSchema = z.object({
  lines: z.array(z.string()),
  inspector: z.string().optional(),
  untrusted: z.record(z.string(), z.unknown()).optional(),
}) satisfies z.ZodType<ToolAnswer>

interface ToolDescription<Input extends z.ZodObject> {
  readonly name: string
  readonly title: string
  /** What the tool does, and when to choose it. Written for the model. */
  readonly description: string
  readonly input: Input
  readonly effect: Effect
  readonly run: (input: z.output<Input>, context: ToolContext) => Promise<ToolAnswer>
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly addTo: (server: McpServer, connection: SandboxConnection) => void
}

/** Creates a tool. */
export const createTool = <Input extends z.ZodObject>({ run, ...tool }: ToolDescription<Input>): Tool =>
  createToolWith({
    ...tool,
    run: async (given, context) => run(validate(tool.input, given), context),
  })

/**
 * Creates a tool that validates its input itself, because the SDK's messages about invalid input are not in plain words. The SDK
 * gets a schema that accepts everything. An error becomes an answer of the tool, so that the model reads it.
 */
function createToolWith({
  name,
  title,
  description,
  input,
  effect: { kind, isIdempotent = kind === 'reads', reachesApp = false },
  run,
}: Omit<ToolDescription<z.ZodObject>, 'run'> & {
  readonly run: (given: unknown, context: ToolContext) => Promise<ToolAnswer>
}): Tool {
  const inputSchema: StandardSchemaWithJSON<unknown, unknown> = {
    '~standard': { ...input['~standard'], validate: (value) => ({ value }) },
  }
  const annotations = {
    readOnlyHint: kind === 'reads',
    destructiveHint: kind === 'changes',
    idempotentHint: isIdempotent,
    openWorldHint: reachesApp,
  }

  async function answer(
    given: unknown,
    call: ServerContext,
    { sandbox: connect, readText }: SandboxConnection,
  ): Promise<CallToolResult> {
    try {
      const sandbox = await connect()
      const context = {
        sandbox,
        inspector: inspectorLinks(sandbox.url),
        readText,
        signal: call.mcpReq.signal,
        progress: progressOf(call),
      }
      return toResult(await run(given, context))
    } catch (error) {
      return toResult(explainFailure(name, error), true)
    }
  }

  return {
    name,
    title,
    description,
    addTo(server, connection) {
      server.registerTool(
        name,
        { title, description, inputSchema, outputSchema, annotations },
        (given, call) => answer(given, call, connection),
      )
    },
  }
}

/** A part of a tool, selected by the input `action`. */
interface Action<Input extends z.ZodObject = z.ZodObject> extends Pick<
  ToolDescription<Input>,
  'description' | 'input' | 'effect' | 'run'
> {}

/**
 * Declares an action. The types of inputs are lost in a list of actions, so the tool validates an input before it runs the
 * action.
 */
export const createAction = <Input extends z.ZodObject>(action: Action<Input>): Action =>
  action as unknown as Action

/** Creates a tool of several actions on one subject. Each checks its own input. */
export function createToolOf({
  actions,
  ...tool
}: Pick<ToolDescription<z.ZodObject>, 'name' | 'title' | 'description'> & {
  readonly actions: Readonly<Record<string, Action>>
}): Tool {
  const all = Object.values(actions)
  const fields = Object.assign({}, ...all.map(({ input }) => input.shape)) as z.ZodRawShape
  const optional = Object.entries(fields).map(([name, field]) => [name, withoutDefault(field).optional()])
  const texts = Object.entries(actions).map(
    ([name, { description, input }]) => `${name}(${namesOf(input)}): ${description}`,
  )
  const kinds = new Set(all.map(({ effect }) => effect.kind))
  return createToolWith({
    ...tool,
    input: z.strictObject({
      action: z.enum(Object.keys(actions)).meta({ description: texts.join(' ') }),
      ...Object.fromEntries(optional),
    }),
    effect: {
      kind: kinds.has('changes') ? 'changes' : kinds.has('adds') ? 'adds' : 'reads',
      isIdempotent: all.every(({ effect }) => effect.isIdempotent ?? effect.kind === 'reads'),
      reachesApp: all.some(({ effect }) => effect.reachesApp),
    },
    async run(given, context) {
      const selected = validate(z.looseObject({ action: z.enum(Object.keys(actions)) }), given)
      const { action: name, ...rest } = selected
      const { input, run } = actions[name]!
      const explainUnknown = (field: string): string | undefined => {
        const others = Object.keys(actions).filter((other) =>
          Object.hasOwn(actions[other]!.input.shape, field),
        )
        return others.length === 0
          ? undefined
          : `${field} is a field of ${others.join(' and ')}, not of ${name}`
      }
      return run(validate(input, rest, `${name}: `, explainUnknown), context)
    },
  })
}

/** Validates the input of a tool or an action. For an unknown field, `explainUnknown` says where the field belongs. */
function validate<Input extends z.ZodObject>(
  schema: Input,
  given: unknown = {},
  prefix = '',
  explainUnknown: (field: string) => string | undefined = () => undefined,
): z.output<Input> {
  const checked = schema.safeParse(given, plainMessages)
  if (checked.success) return checked.data
  const problems = checked.error.issues.slice(0, MAX_ERRORS).flatMap((issue) => {
    const place = issue.path.join('.')
    if (issue.code !== 'unrecognized_keys') return `${place} ${explainWithValue(issue, given)}`.trim()
    const fields = listKeysAt(schema, issue.path)
    return issue.keys.map(
      (key) =>
        (issue.path.length === 0 ? explainUnknown(key) : undefined) ??
        `There is no field ${[...issue.path, key].join('.')}${nearestName(key, fields) || fieldsText(fields)}`,
    )
  })
  throw new ToolError(`${prefix}${problems.join('. ')}.`)
}

const fieldsText = (fields: readonly string[]): string =>
  fields.length === 0 ? ', and no other field' : `, the fields are ${fields.join(', ')}`

/** Removes the default of a field, because the field may belong to a different action. Each action applies its own defaults. */
const withoutDefault = (field: z.core.$ZodType): z.ZodType =>
  field instanceof z.ZodDefault || field instanceof z.ZodOptional
    ? withoutDefault(field.unwrap()).meta(field.meta() ?? {})
    : (field as z.ZodType)

/** The names of the fields. Optional ones have a question mark. */
const namesOf = ({ shape }: z.ZodObject): string =>
  Object.entries(shape)
    .map(([name, field]) => (field.safeParse(undefined).success ? `${name}?` : name))
    .join(', ')

function progressOf({ mcpReq }: ServerContext): ToolContext['progress'] {
  const { _meta: meta } = mcpReq
  const token = meta?.progressToken
  return (progress, message) => {
    if (token === undefined) return
    const params = { progressToken: token, progress, message }
    // Progress is not important, so a failure to report it is ignored.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
  }
}
