import type { AnswerOf, InputOf, ReadOnly, RouteOf } from '../../server/contract/typed-request.ts'
import type { ControlRoutes } from '../../server/control/control-api.ts'

/**
 * Sends a request to the control API. Its path is written as it is sent, such as `/links/1001/pay`. The compiler finds the
 * route, and checks the body and the names in the query. The answer has the type that the route answers if it succeeds.
 */
export interface TypedControl {
  <const Method extends string, const Path extends string>(
    method: Method,
    path: Path & ErrorIn<Method, Path>,
    ...body: BodyArguments<InputOf<ControlRoutes, RouteAt<Method, Path>>>
  ): Promise<{ readonly status: number; readonly headers: Headers; readonly answer: AnswerTo<Method, Path> }>
}

type Route = RouteOf<ControlRoutes>

type RouteAt<Method extends string, Path extends string> = Matching<`${Method} ${WithoutQuery<Path>}`>

type WithoutQuery<Path> = Path extends `${infer Before}?${string}` ? Before : Path

type Matching<Request> = Request extends Route
  ? Request
  : { [One in Route]: Fits<Request, One> extends true ? One : never }[Route]

/** Whether a request has the segments of a route. A parameter such as `:id` stands for any segment. */
type Fits<Request, Pattern> = Pattern extends `${infer Name}/${infer Names}`
  ? Request extends `${infer Segment}/${infer Segments}`
    ? Segment extends ValueOf<Name>
      ? Fits<Segments, Names>
      : false
    : false
  : Request extends `${string}/${string}`
    ? false
    : Request extends ValueOf<Pattern>
      ? true
      : false

type ValueOf<Segment> = Segment extends `:${string}` ? string : Segment

/** The error for a path that matches no route: a property that no path has. The name of the property says what is wrong. */
type ErrorIn<Method extends string, Path extends string> = [RouteAt<Method, Path>] extends [never]
  ? { noSuchRoute: `${Method} ${Path}` }
  : Path extends `${string}?${infer Query}`
    ? NamesIn<Query> extends KnownNames<InputOf<ControlRoutes, RouteAt<Method, Path>>>
      ? unknown
      : { noSuchQuery: Query }
    : unknown

/** The names in a query. A computed query has none. */
type NamesIn<Query> = Query extends `${infer First}&${infer Rest}`
  ? NamesIn<First> | NamesIn<Rest>
  : Query extends `${infer Name}=${string}`
    ? Name
    : never

type KnownNames<Input> = Input extends { query: infer Query } ? keyof Query : never

/** Without a route, any body is accepted, so that the compiler reports only the wrong path. */
type BodyArguments<Input> = [Input] extends [never]
  ? [body?: unknown]
  : [BodyIn<Input>] extends [undefined]
    ? []
    : {} extends BodyIn<Input>
      ? [body?: BodyIn<Input>]
      : [body: BodyIn<Input>]

type BodyIn<Input> = Input extends { json: infer Json } ? ReadOnly<Json> : undefined

/** The type of the answer. The answer of `GET /events` has only the event types that its query names. */
type AnswerTo<Method extends string, Path extends string> = Path extends `/events?${infer Query}`
  ? OfTypes<AnswerOf<ControlRoutes, RouteAt<Method, Path>>, TypesIn<Query>>
  : AnswerOf<ControlRoutes, RouteAt<Method, Path>>

type OfTypes<Answer, Types> = [Types] extends [never]
  ? Answer
  : Answer extends { readonly events: readonly (infer Event)[] }
    ? Omit<Answer, 'events'> & { readonly events: (Event & { readonly type: Types })[] }
    : Answer

type TypesIn<Query> = Query extends `${infer First}&${infer Rest}`
  ? TypesIn<First> | TypesIn<Rest>
  : Query extends `type=${infer Types}`
    ? OneOf<Types>
    : never

type OneOf<List> = List extends `${infer First},${infer Rest}` ? First | OneOf<Rest> : List
