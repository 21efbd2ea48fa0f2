/** The responses that endpoints declare, and the types of what handlers return for them. */
import { errorBody } from './schemas/error.ts'
import type { z } from './schemas/z.ts'
import type { Value } from './wire.ts'

type JsonAnswer<Schema extends z.ZodType> = Readonly<{ description: string; schema: Schema }>
type PageAnswer<Schema extends z.ZodType> = JsonAnswer<Schema> & Readonly<{ orPage: true }>
type EventsAnswer<Schema extends z.ZodType> = JsonAnswer<Schema> & Readonly<{ orEvents: true }>
type TextAnswer<Schema extends z.ZodType> = EventsAnswer<Schema> & Readonly<{ orText: true }>
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
  /** Plain text unless the query requests JSON. */
  orText?: boolean
  /** Server-sent events for callers that accept `text/event-stream`. */
  orEvents?: boolean
}>

/** By status. */
export type Answers = Readonly<Record<number, AnswerShape>>

/** A JSON body. */
export const json = <Schema extends z.ZodType>(
  description: string,
  schema: Schema,
): JsonAnswer<Schema> => ({ description, schema })

/** A JSON body for programs; for a browser's form, a finished `Response`: a page or a redirect. */
export const jsonOrPage = <Schema extends z.ZodType>(
  description: string,
  schema: Schema,
): PageAnswer<Schema> => ({ description, schema, orPage: true })

/** Plain text or server-sent events as a finished `Response`, or a JSON body if the caller chose it. */
export const textOrJson = <Schema extends z.ZodType>(
  description: string,
  schema: Schema,
): TextAnswer<Schema> => ({ description, schema, orText: true, orEvents: true })

/** A JSON body, or server-sent events as a finished `Response` for callers that accept them. */
export const jsonOrEvents = <Schema extends z.ZodType>(
  description: string,
  schema: Schema,
): EventsAnswer<Schema> => ({ description, schema, orEvents: true })

/** Anything but JSON: the handler returns a finished `Response`. */
export const media = (contentType: string, description: string): MediaAnswer => ({
  description,
  contentType,
})

/** No body. */
export const empty = (description: string): EmptyAnswer => ({ description })

/** An error. Handlers throw it as an `AppError`; all errors have the same body. */
export const problem = (description: string): ProblemAnswer => ({
  description,
  schema: errorBody,
  isProblem: true,
})

/** The answers of requests that bundle code, to an app that has faults or needs a package. */
export const bundleRefused = {
  422: problem('Manifest, code or a package has faults, each in `details`'),
  502: problem('The package registry cannot be reached, or failed'),
}

/** The answer of requests that queue a job or start a flow, to a caller or workspace at its limit. */
export const queueFull = {
  429: problem('Too many requests, or too many queued jobs (`queue_full`)'),
}

/** The answer of requests that store something, to a workspace at its quota. */
export const storageFull = { 429: problem('The workspace stores too much: storage_full') }

/** The answer of requests with `If-Match` or `If-None-Match`. @param what such as `The draft` */
export const otherVersion = (what: string) => ({
  412: problem(`${what} is not as If-Match or If-None-Match requires`),
})

/** By name; a list is a header that occurs several times, such as Set-Cookie. */
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
          | (Shape extends { orPage: true } | { orEvents: true } ? Response : never)
      : Headers & Readonly<{ status: Status; body?: undefined }>

/** What a handler may return: one of the declared statuses, with a body that its schema allows. */
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

/** Sends the browser on. @param location in ASCII */
export const redirect = (
  status: 302 | 303,
  location: string,
  cookies: readonly string[],
): Response => {
  const headers = new Headers({ location })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status, headers })
}
