/** What endpoints declare that they answer, and what handlers answer with: the one is the type of the other. */
import { errorBody } from './schemas/error.ts'
import type { z } from './schemas/z.ts'
import type { Value } from './wire.ts'

type JsonAnswer<Schema extends z.ZodType> = Readonly<{ description: string; schema: Schema }>
type PageAnswer<Schema extends z.ZodType> = JsonAnswer<Schema> & Readonly<{ orPage: true }>
type TextAnswer<Schema extends z.ZodType> = JsonAnswer<Schema> & Readonly<{ orText: true }>
type EventsAnswer<Schema extends z.ZodType> = JsonAnswer<Schema> & Readonly<{ orEvents: true }>
type MediaAnswer = Readonly<{ description: string; contentType: string }>
type EmptyAnswer = Readonly<{ description: string }>
type ProblemAnswer = Readonly<{ description: string; schema: typeof errorBody; isProblem: true }>

export type AnswerShape = Readonly<{
  description: string
  schema?: z.ZodType
  /** @default application/json when there is a schema */
  contentType?: string
  isProblem?: boolean
  /** A browser's form is answered by a page or a redirect instead. */
  orPage?: boolean
  /** Plain text unless the query demands JSON. */
  orText?: boolean
  /** Server-sent events for who accepts `text/event-stream`. */
  orEvents?: boolean
}>

/** By status. */
export type Answers = Readonly<Record<number, AnswerShape>>

/** A JSON body. */
export const json = <Schema extends z.ZodType>(
  description: string,
  schema: Schema,
): JsonAnswer<Schema> => ({ description, schema })

/** A JSON body for programs; for a browser's form a finished `Response`: a page, or a redirect. */
export const jsonOrPage = <Schema extends z.ZodType>(
  description: string,
  schema: Schema,
): PageAnswer<Schema> => ({ description, schema, orPage: true })

/** Plain text as a finished `Response`, or a JSON body where the caller chose it. */
export const textOrJson = <Schema extends z.ZodType>(
  description: string,
  schema: Schema,
): TextAnswer<Schema> => ({ description, schema, orText: true })

/** A JSON body, or server-sent events as a finished `Response` for who accepts them. */
export const jsonOrEvents = <Schema extends z.ZodType>(
  description: string,
  schema: Schema,
): EventsAnswer<Schema> => ({ description, schema, orEvents: true })

/** Anything but JSON: the handler answers a finished `Response`. */
export const media = (contentType: string, description: string): MediaAnswer => ({
  description,
  contentType,
})

/** No body. */
export const empty = (description: string): EmptyAnswer => ({ description })

/** An error, which is thrown as an `AppError` and has the one error body. */
export const problem = (description: string): ProblemAnswer => ({
  description,
  schema: errorBody,
  isProblem: true,
})

/** By name; a list is a header that occurs several times, as Set-Cookie may. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>

type Headers = Readonly<{ headers?: AnswerHeaders }>

type JsonReply<Status, Schema> = Headers & Readonly<{ status: Status; body: Value<Schema> }>

type OneAnswer<Status, Shape> = Shape extends ProblemAnswer
  ? never
  : Shape extends MediaAnswer
    ? Response
    : Shape extends JsonAnswer<infer Schema>
      ?
          | JsonReply<Status, Schema>
          | (Shape extends { orPage: true } | { orText: true } | { orEvents: true }
              ? Response
              : never)
      : Headers & Readonly<{ status: Status; body?: undefined }>

/** What a handler may answer: one of the declared statuses, with what its schema allows. */
export type AnswerOf<Declared> = {
  [Status in keyof Declared & number]: OneAnswer<Status, Declared[Status]>
}[keyof Declared & number]

export const answer = <const Status extends number, const Body>(
  status: Status,
  body: Body,
  headers: AnswerHeaders = {},
) => ({ status, body, headers })

export const ok = <const Body>(body: Body) => answer(200, body)

export const created = <const Body>(body: Body) => answer(201, body)

export const noContent = (headers: AnswerHeaders = {}) => ({ status: 204, headers }) as const
