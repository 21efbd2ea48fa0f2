/** GET, POST /api/w/{ws}/state */
import { readState, stateAppOf, writeState } from '#service/app-state.ts'
import type { Deps } from '#service/deps.ts'
import { problem, type Route, reply, route } from '../route.ts'
import { jsonValue, z } from '../schemas/z.ts'

const stateKey = z.string().min(1).max(512)
const appName = z
  .string()
  .max(200)
  .optional()
  .describe('whose state; with a job token that of its own app')

const refusals = {
  400: problem('No key, or no app named'),
  403: problem('Missing scope, or the app of others'),
  404: problem('Unknown app'),
}

export const stateRoutes = (deps: Pick<Deps, 'db'>): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/state',
    operationId: 'getState',
    scope: '*',
    jobTokens: true,
    rate: 'run',
    tag: 'State',
    summary: "A value of an app's state, null where nothing was set",
    query: z.object({ key: stateKey, app: appName }),
    responses: {
      200: { description: 'The value', schema: z.object({ key: z.string(), value: jsonValue }) },
      ...refusals,
    },
    handler: async ({ ws, query: { key, app }, principal }) => {
      const at = { ws, app: await stateAppOf(deps, principal, { ws, app: app ?? null }), key }
      return reply(200, { key, value: await readState(deps, at) })
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/state',
    operationId: 'setState',
    scope: '*',
    jobTokens: true,
    rate: 'run',
    tag: 'State',
    summary: "Set a value of an app's state",
    query: z.object({ app: appName }),
    body: z.strictObject({ key: stateKey, value: jsonValue }),
    responses: { 204: { description: 'Set' }, ...refusals },
    handler: async ({ ws, query: { app }, body: { key, value }, principal }) => {
      const at = { ws, app: await stateAppOf(deps, principal, { ws, app: app ?? null }), key }
      await writeState(deps, principal, { at, value })
      return reply(204)
    },
  }),
]
