/** GET, POST, DELETE /api/w/{ws}/state; GET /api/w/{ws}/state/keys */
import { MAX_STATE_KEY_LENGTH, STATE_KEYS_PER_PAGE, stateConflict } from '#core/app-state.ts'
import { openAppState, requireStateApp } from '#service/app-state.ts'
import type { Deps } from '#service/deps.ts'
import { problem, type Route, reply, route } from '../route.ts'
import { decodeCursor, encodeCursor, pageOf } from '../schemas/page.ts'
import { jsonValue, z } from '../schemas/z.ts'

const stateKey = z.string().min(1).max(MAX_STATE_KEY_LENGTH)
const appName = z.string().max(200).optional().describe('whose state')
const version = z
  .string()
  .max(64)
  .nullable()
  .describe('another one after each write; null where nothing was set')

const refusals = {
  400: problem('No key, or no app named'),
  403: problem('Missing scope'),
  404: problem('Unknown app'),
}

const common = { scope: '*', rate: 'run', tag: 'State' } as const

type State = ReturnType<typeof openAppState>
type StateRequest = Readonly<{ ws: string; query: { app?: string | undefined } }>

/** A cursor is made of a key, each character up to three bytes. */
const cursor = z.string().min(1).max(4_096).optional()

export const stateRoutes = (deps: Pick<Deps, 'db'>): readonly Route[] => {
  const open = async ({ ws, query }: StateRequest): Promise<State> => {
    const app = await requireStateApp(deps, ws, query.app ?? null)
    return openAppState(deps, { ws, app })
  }
  return [readRoute(open), writeRoute(open), deleteRoute(open), keysRoute(open)]
}

type Open = (request: StateRequest) => Promise<State>

const readRoute = (open: Open): Route =>
  route({
    ...common,
    method: 'get',
    path: '/api/w/{ws}/state',
    operationId: 'getState',
    summary: "A value of an app's state, null where nothing was set",
    query: z.object({ key: stateKey, app: appName }),
    responses: {
      200: {
        description: 'The value',
        schema: z.object({ key: z.string(), value: jsonValue, version }),
      },
      ...refusals,
    },
    handler: async (request) => {
      const { key } = request.query
      const found = await (await open(request)).get(key)
      const value = found === null ? null : JSON.parse(found.json)
      return reply(200, { key, value, version: found?.version ?? null })
    },
  })

const writeRoute = (open: Open): Route =>
  route({
    ...common,
    method: 'post',
    path: '/api/w/{ws}/state',
    operationId: 'setState',
    summary: "Set a value of an app's state, if wanted only while it has a version",
    query: z.object({ app: appName }),
    body: z.strictObject({
      key: stateKey,
      value: jsonValue,
      if_version: version
        .optional()
        .describe('sets only while the value has this version; null: only while there is none'),
    }),
    responses: {
      204: { description: 'Set' },
      ...refusals,
      409: problem('It has another version by now, or the app keeps 10,000 keys'),
      413: problem('More than 256 KiB'),
    },
    handler: async (request) => {
      const { key, value, if_version } = request.body
      const state = await open(request)
      const json = JSON.stringify(value)
      if (if_version === undefined) await state.set(key, json)
      else if (!(await state.compareAndSet(key, json, if_version))) throw stateConflict()
      return reply(204)
    },
  })

const deleteRoute = (open: Open): Route =>
  route({
    ...common,
    method: 'delete',
    path: '/api/w/{ws}/state',
    operationId: 'deleteState',
    summary: "Delete a key of an app's state",
    query: z.object({ key: stateKey, app: appName }),
    responses: { 204: { description: 'There is no such key any more' }, ...refusals },
    handler: async (request) => {
      await (await open(request)).delete(request.query.key)
      return reply(204)
    },
  })

const keysRoute = (open: Open): Route =>
  route({
    ...common,
    method: 'get',
    path: '/api/w/{ws}/state/keys',
    operationId: 'listStateKeys',
    summary: `Keys of an app's state, in order, ${STATE_KEYS_PER_PAGE} a page`,
    query: z.object({
      prefix: z.string().max(MAX_STATE_KEY_LENGTH).default(''),
      cursor,
      app: appName,
    }),
    responses: { 200: { description: 'Keys', schema: pageOf(z.string()) }, ...refusals },
    handler: async (request) => {
      const { prefix, cursor } = request.query
      const { keys, hasMore } = await (await open(request)).list(prefix, decodeCursor(cursor))
      const last = keys.at(-1)
      const next_cursor = hasMore && last !== undefined ? encodeCursor(last) : null
      return reply(200, { items: [...keys], pagination: { next_cursor } })
    },
  })
