import { stateConflict } from '#core/app-state.ts'
import { openAppState, requireStateApp } from '#service/apps/app-state.ts'
import type { Deps } from '#service/deps.ts'
import { noContent, ok } from '../answer.ts'
import { stateEndpoints } from '../endpoints/state.ts'
import { handlers } from '../handlers.ts'
import { decodeCursor, encodeCursor } from '../schemas/page.ts'

type State = ReturnType<typeof openAppState>

type StateRequest = Readonly<{ ws: string; query: { app?: string | undefined } }>

export const stateRoutes = handlers(stateEndpoints, (deps: Pick<Deps, 'db' | 'storage'>) => {
  const open = async ({ ws, query }: StateRequest): Promise<State> =>
    openAppState(deps, await requireStateApp(deps, ws, query.app ?? null))
  return {
    getState: async (request) => {
      const { key } = request.query
      const found = await (await open(request)).get(key)
      const value = found === null ? null : JSON.parse(found.json)
      return ok({ key, value, version: found?.version ?? null })
    },
    setState: async (request) => {
      const { key, value, if_version } = request.body
      const state = await open(request)
      const json = JSON.stringify(value)
      if (if_version === undefined) await state.set(key, json)
      else if (!(await state.compareAndSet(key, json, if_version))) throw stateConflict()
      return noContent()
    },
    deleteState: async (request) => {
      await (await open(request)).delete(request.query.key)
      return noContent()
    },
    listStateKeys: async (request) => {
      const { prefix, cursor } = request.query
      const { keys, hasMore } = await (await open(request)).list(prefix, decodeCursor(cursor))
      const last = keys.at(-1)
      const nextCursor = hasMore && last !== undefined ? encodeCursor(last) : null
      return ok({ items: keys, pagination: { nextCursor } })
    },
  }
})
