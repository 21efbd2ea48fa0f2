/** Binds endpoints to the code that answers them. A response that the endpoint does not declare does not compile. */
import { actorOf } from '#core/access/actor.ts'
import type { AnswerOf } from './answer.ts'
import {
  closedQueryOf,
  type Endpoint,
  type Endpoints,
  hasFreeQuery,
  type InputOf,
  paramsOf,
  scopeOf,
} from './endpoint.ts'
import { parseInput, type RawInput, refuseRepeated, type Shapes } from './request.ts'
import type { Reply, Route } from './route.ts'
import { routeFactsOf } from './route-facts.ts'
import { toWire } from './wire.ts'

export type Handler<E extends Endpoint> = (input: InputOf<E>) => Promise<AnswerOf<E['answers']>>

export type Handlers<Family extends Endpoints> = {
  readonly [OperationId in keyof Family]: Handler<Family[OperationId]>
}

/** Any handler: its endpoint has parsed its input. */
type Bound = (input: never) => Promise<Reply>

/**
 *     export const jobHandlers = handlers(jobEndpoints, (deps: JobDeps) => ({
 *       getJob: async ({ ws, params }) => ok(await readJob(deps, ws, params.id)),
 *     }))
 *
 * @returns routes that serve the endpoints, in their order
 */
export const handlers =
  <Family extends Endpoints, Deps>(family: Family, make: (deps: Deps) => Handlers<Family>) =>
  (deps: Deps): readonly Route[] => {
    const bound: Readonly<Record<string, Bound>> = make(deps)
    return Object.entries(family).map(([operationId, one]) => {
      const handle = bound[operationId]
      if (handle === undefined) throw new Error(`Nothing answers ${operationId}.`)
      return toRoute(operationId, one, handle)
    })
  }

const toRoute = (operationId: string, declared: Endpoint, handle: Bound): Route => {
  // made by the first request, because that keeps the start short
  let shapes: Shapes | null = null
  return {
    ...routeFactsOf(operationId, declared),
    run: async (raw) => {
      shapes ??= { params: paramsOf(declared), query: closedQueryOf(declared), body: declared.body }
      const input = { ...raw, ...parseInput(shapes, raw), ...callerOf(declared, raw) }
      if (!hasFreeQuery(declared)) refuseRepeated(raw)
      // the endpoint of this handler parsed the input, so it fits
      return toReply(declared, await handle(input as never))
    },
  }
}

const callerOf = (one: Endpoint, { principal, address }: RawInput) => {
  if (scopeOf(one) === 'public') return {}
  if (principal === null) throw new Error('A guarded endpoint ran without a principal.')
  return { principal, actor: actorOf(principal, address) }
}

const toReply = ({ answers }: Endpoint, reply: Reply): Reply => {
  if (reply instanceof Response) return reply
  const schema = answers[reply.status]?.schema
  return schema === undefined ? reply : { ...reply, body: toWire(schema)(reply.body) }
}
