/** Routes whose handlers load with the first request to one of them. */
import type { RawInput } from './request.ts'
import type { Reply, Route, RouteFacts } from './route.ts'

/** Loads the handlers of a family. */
export type LoadRoutes = () => Promise<readonly Route[]>

/** @returns routes that answer with the handlers that `load` returns, which is called once */
export const lateRoutes = (table: readonly RouteFacts[], load: LoadRoutes): readonly Route[] => {
  let loading: Promise<ReadonlyMap<string, Route>> | null = null
  const loadOnce = () => {
    loading ??= load().then((routes) => new Map(routes.map((route) => [route.operationId, route])))
    return loading
  }
  return table.map((facts) => toLateRoute(facts, loadOnce))
}

const toLateRoute = (facts: RouteFacts, load: () => Promise<ReadonlyMap<string, Route>>): Route => {
  let loaded: Route | null = null
  const run = async (raw: RawInput): Promise<Reply> => {
    loaded ??= (await load()).get(facts.operationId) ?? null
    if (loaded === null) throw new Error(`Nothing answers ${facts.operationId}.`)
    return loaded.run(raw)
  }
  return { ...facts, run }
}
