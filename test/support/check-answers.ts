/**
 * Compares every response of a test app with the declaration of its endpoint: the status is
 * listed, the body has exactly the fields of the schema, and the content type is the declared one.
 * The OpenAPI document is made from the same declarations, so it is correct.
 */
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { AnswerShape } from '#http/answer.ts'
import { answersPages, type Endpoint, type Endpoints, fullPathOf } from '#http/endpoint.ts'
import { refusalsOf } from '#http/refusals.ts'
import { errorBody } from '#http/schemas/error.ts'

export type CheckedAnswer = Readonly<{
  method: string
  /** The requested path, with its query. */
  path: string
  status: number
  headers: Headers
  text: string
}>

export type AnswerCheck = (answer: CheckedAnswer) => void

/** @returns a check that throws, naming the route, when a response differs from its declaration */
export const createAnswerCheck = (endpoints: Endpoints): AnswerCheck => {
  const patterns = Object.values(endpoints).map((route) => {
    const path = fullPathOf(route)
    return { route: { ...route, path }, pattern: toPattern(path) }
  })
  return (answer) => {
    const method = answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase()
    const { pathname } = new URL(answer.path, 'http://localhost')
    const fitting = patterns.filter(({ pattern }) => pattern.test(pathname))
    // a fixed path goes before a parameter in its place
    const fewest = Math.min(...fitting.map(({ route }) => parametersOf(route.path)))
    const match = fitting.find(
      ({ route }) => route.method === method && parametersOf(route.path) === fewest,
    )
    const fault = match === undefined ? findErrorFault(answer) : findFault(match.route, answer)
    if (fault === null) return
    const { path = answer.path } = match?.route ?? {}
    throw new Error(`${answer.method} ${path} answered ${answer.status}, and ${fault}`)
  }
}

const parametersOf = (path: string): number => path.split('{').length - 1

/** `{path}` is the rest of the address, including slashes. */
const toPattern = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replaceAll('.', '\\.')
      .replace('{path}', '.+')
      .replaceAll(/\{\w+\}/g, '[^/]+')}$`,
  )

const typeOf = ({ headers }: CheckedAnswer): string =>
  headers.get('content-type')?.split(';')[0] ?? ''

const findFault = (route: Endpoint, answer: CheckedAnswer): string | null => {
  const declared = route.answers[answer.status]
  if (declared === undefined && answer.status >= 400) {
    return isRefusal(route, answer) ? findErrorFault(answer) : 'declares no such status'
  }
  // pages and redirects are not checked
  if (answersPages(route) && !isJson(answer)) return null
  return declared === undefined ? 'declares no such status' : findBodyFault(declared, answer)
}

/** Whether the document adds the status to the operation. It lists no faults of svc, and a host of an app has no such path. */
const isRefusal = (route: Endpoint, { status }: CheckedAnswer): boolean =>
  status >= 500 || status === 404 || refusalsOf(route).some((shared) => shared === status)

const isJson = (answer: CheckedAnswer): boolean => typeOf(answer) === 'application/json'

const findBodyFault = (
  { schema, contentType, orText, orEvents }: AnswerShape,
  answer: CheckedAnswer,
): string | null => {
  if (orText === true && typeOf(answer) === 'text/plain') return null
  if (orEvents === true && typeOf(answer) === 'text/event-stream') return null
  if (schema !== undefined) {
    if (!isJson(answer)) return `its type is ${typeOf(answer)}`
    return answer.method === 'HEAD' ? null : findShapeFault(schema, readJson(answer))
  }
  if (contentType === undefined) return answer.text === '' ? null : 'declares no body'
  return typeOf(answer) === contentType ? null : `its type is ${typeOf(answer)}, not ${contentType}`
}

/** Parses the body without files called `__proto__`, which a zod record does not keep. */
const readJson = ({ text }: CheckedAnswer): unknown =>
  JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value))

const findErrorFault = (answer: CheckedAnswer): string | null =>
  answer.status < 400 || !isJson(answer) || answer.method === 'HEAD'
    ? null
    : findShapeFault(errorBody, readJson(answer))

/** Parses and serializes the body again. A difference shows that a field is missing, wrong or unknown to the schema. */
const findShapeFault = (schema: z.ZodType, body: unknown): string | null => {
  const parsed = schema.safeParse(body)
  if (!parsed.success) return z.prettifyError(parsed.error)
  const again: unknown = JSON.parse(JSON.stringify(z.encode(schema, parsed.data)))
  if (isDeepStrictEqual(again, body)) return null
  return `declares ${JSON.stringify(again)}, not ${JSON.stringify(body)}`
}
