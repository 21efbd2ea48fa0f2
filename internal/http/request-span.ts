/** The span of a request, if spans are exported. Work that the request starts belongs to it. */
import { readTraceparent, traceparentOf } from '#core/trace/traceparent.ts'
import type { Deps } from '#service/deps.ts'

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

/** Opens the span of a request. @param received returns the headers as received; called only if spans are exported */
export const openRequestSpan = (
  { spans, now }: Pick<Deps, 'spans' | 'now'>,
  method: string,
  received: () => readonly Pair[],
): RequestSpan => {
  if (!spans.isOn) return UNTRACED
  const parent = readTraceparent(traceparentOf(received()) ?? undefined)
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
