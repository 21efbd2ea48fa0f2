/**
 * What a call of `ctx.run`, `ctx.startFlow`, `ctx.call` and `ctx.callFlow` names [jobs 15.2]. `@svc/sdk/testing` checks it as a node
 * does.
 */
import { invalid } from '../error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts'
import { APP_KEY, KEY } from '../key-patterns.ts'

/** What a call starts. */
export type StartKind = 'action' | 'flow'

export type StartTarget = Readonly<{ kind: StartKind; app: string; key: string }>

/** @param ownApp the app of the caller. @throws {AppError} invalid `bad_key` */
export const readTarget = (
  { kind, target }: Readonly<{ kind: StartKind; target: string }>,
  ownApp: string,
): StartTarget => {
  const parts = target.split('/')
  const [app = '', key = ''] = parts.length === 1 ? [ownApp, target] : parts
  if (parts.length <= 2 && APP_KEY.test(app) && KEY.test(key)) return { kind, app, key }
  throw invalid(`"${target.slice(0, 200)}" names no ${kind}. Write its key, or app/key.`, {
    code: 'bad_key',
  })
}

/** The target as one text, by which calls with the same key are compared. */
export const targetText = ({ kind, app, key }: StartTarget): string => `${kind} ${app}/${key}`

/** @throws {AppError} invalid `not_an_object` */
export const requireInput = (input: JsonValue): JsonObject => {
  if (isJsonObject(input)) return input
  throw invalid('The input must be an object; it becomes ctx.input.', { code: 'not_an_object' })
}
