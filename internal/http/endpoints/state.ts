import { MAX_STATE_KEY_LENGTH, STATE_KEYS_PER_PAGE } from '#core/app-state.ts'
import { NO_NUL } from '#core/nul.ts'
import { empty, json, problem, storageFull } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { pageOf } from '../schemas/page.ts'
import { jsonValue, z } from '../schemas/z.ts'

const stateKey = z
  .string()
  .min(1)
  .max(MAX_STATE_KEY_LENGTH)
  .refine(...NO_NUL)

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

const common = { in: 'workspace', admits: ['*'], rate: 'run', tag: 'State' } as const

/** A cursor encodes a key, whose characters take up to three bytes each. */
const cursor = z.string().min(1).max(4_096).optional()

export const stateEndpoints = {
  getState: endpoint({
    method: 'get',
    path: '/state',
    ...common,
    summary: "A value of an app's state, null where nothing was set",
    query: z.object({ key: stateKey, app: appName }),
    answers: {
      200: json('The value', z.object({ key: z.string(), value: jsonValue, version })),
      ...refusals,
    },
  }),
  setState: endpoint({
    method: 'post',
    path: '/state',
    ...common,
    summary: "Set a value of an app's state, if wanted only while it has a version",
    query: z.object({ app: appName }),
    body: z.strictObject({
      key: stateKey,
      value: jsonValue,
      if_version: version
        .optional()
        .describe('sets only while the value has this version; null: only while there is none'),
    }),
    answers: {
      204: empty('Set'),
      ...refusals,
      409: problem('It has another version by now, or the app keeps 10,000 keys'),
      413: problem('More than 256 KiB'),
      ...storageFull,
    },
  }),
  deleteState: endpoint({
    method: 'delete',
    path: '/state',
    ...common,
    summary: "Delete a key of an app's state",
    query: z.object({ key: stateKey, app: appName }),
    answers: { 204: empty('There is no such key any more'), ...refusals },
  }),
  listStateKeys: endpoint({
    method: 'get',
    path: '/state/keys',
    ...common,
    summary: `Keys of an app's state, in order, ${STATE_KEYS_PER_PAGE} a page`,
    query: z.object({
      prefix: z.string().max(MAX_STATE_KEY_LENGTH).default(''),
      cursor,
      app: appName,
    }),
    answers: { 200: json('Keys', pageOf(z.string())), ...refusals },
  }),
}
