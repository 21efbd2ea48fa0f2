/**
 * A job's output as server-sent events until the job ends: `event: log` with a JSON text, at last `event: end` with the
 * status. Reads on only when the caller has taken what it was sent, so a slow reader costs no memory.
 */
import { isTerminal } from '#core/job.ts'
import type { Deps } from '#service/deps.ts'
import { type LogPosition, listLogChunks } from '#store/job-logs.ts'
import { findJobResult } from '#store/jobs.ts'

/** Finds what other processes wrote; in this process a hint comes first. */
const LOOK_MS = 1_000

export type FollowRequest = Readonly<{ ws: string; id: string; signal: AbortSignal }>

const toEvent = (event: string, data: unknown): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** Resolves at the next hint for the job, after LOOK_MS, or when the caller goes away. */
const nextHint = ({ hints }: Pick<Deps, 'hints'>, { id, signal }: FollowRequest): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      for (const end of ends) end()
      resolve()
    }
    const timer = setTimeout(done, LOOK_MS)
    signal.addEventListener('abort', done, { once: true })
    const ends = [
      () => clearTimeout(timer),
      () => signal.removeEventListener('abort', done),
      hints.jobLogged.subscribe((logged) => logged === id && done()),
      hints.jobChanged.subscribe((changed) => changed.jobId === id && done()),
    ]
  })

async function* events(
  deps: Pick<Deps, 'db' | 'hints'>,
  request: FollowRequest,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let after: LogPosition = { attempt: 0, seq: -1 }
  while (!request.signal.aborted) {
    // the status is read first: what is written before the end is then surely read
    const job = await findJobResult(deps.db, request.ws, request.id)
    for (const { at, bytes } of await listLogChunks(deps.db, request.id, after)) {
      after = at
      const text = decoder.decode(bytes, { stream: true })
      if (text !== '') yield toEvent('log', text)
    }
    if (job === null || isTerminal(job.status)) {
      yield toEvent('end', { status: job?.status ?? 'unknown' })
      return
    }
    await nextHint(deps, request)
  }
}

export const followLog = (deps: Pick<Deps, 'db' | 'hints'>, request: FollowRequest): Response => {
  // a stream may be canceled while the request's own signal is silent
  const gone = new AbortController()
  const signal = AbortSignal.any([request.signal, gone.signal])
  const source = events(deps, { ...request, signal })
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const next = await source.next()
      if (next.done) controller.close()
      else controller.enqueue(encoder.encode(next.value))
    },
    cancel: async () => {
      gone.abort()
      await source.return(undefined)
    },
  })
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
}
