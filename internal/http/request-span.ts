/** The span of a request, if spans are exported. Work that the request starts belongs to it. */
import type { Context } from 'hono'
import { readTraceparent, traceparentOf } from '#core/trace/traceparent.ts'
import type { Deps } from '#service/deps.ts'
import { type Env, receivedHeaders } from './received.ts'

type Pair = readonly [name: string, value: string]

export type RequestSpan = Readonly<{
  /** The request's headers, with the request's own span in place of the caller's. */
  header: (name: string, value: string | undefined) => string | undefined
  headers: (received: readonly Pair[]) => readonly Pair[]
  /** Identifies the span; null if spans are not exported. */
  traceparent: string | null
  end: (route: string, status: number) => void
}>

const UNTRACED: RequestSpan = {
  header: (_, value) => value,
  headers: (received) => received,
  traceparent: null,
  end: () => undefined,
}

const NAME = 'traceparent'

/** Opens the span of a request. */
export const openRequestSpan = (
  { spans, now }: Pick<Deps, 'spans' | 'now'>,
  context: Context<Env>,
): RequestSpan => {
  if (!spans.isOn) return UNTRACED
  const { method } = context.req
  const parent = readTraceparent(traceparentOf(receivedHeaders(context)) ?? undefined)
  const traceparent = spans.child(parent)
  const startedAt = now()
  return {
    traceparent,
    header: (name, value) => (name.toLowerCase() === NAME ? traceparent : value),
    headers: (given) => [
      ...given.filter(([name]) => name.toLowerCase() !== NAME),
      [NAME, traceparent],
    ],
    end: (route, status) =>
      spans.record({
        name: `request ${method} ${route}`,
        kind: 'server',
        traceparent,
        parent,
        startedAt,
        endedAt: now(),
        attributes: {
          'http.request.method': method,
          'http.route': route,
          'http.response.status_code': status,
        },
        isError: status >= 500,
      }),
  }
}
