/**
 * Sends events from a source. The next event is requested only when the caller has read the one before, so a slow reader
 * costs no memory. A comment every 15 s keeps proxies from cutting a quiet stream.
 */
import { orAfter } from '#service/or-after.ts'
import type { RequestFacts } from './request.ts'

export type StreamEvent = Readonly<{ event: string; data: unknown }>

/** The type of a response that consists of events. */
export const EVENT_STREAM = 'text/event-stream'

/** Whether the caller names event streams in `Accept`. */
export const acceptsEvents = ({ header }: Pick<RequestFacts, 'header'>): boolean =>
  header('accept')?.includes(EVENT_STREAM) === true

const KEEP_ALIVE_MS = 15_000
const KEEP_ALIVE = ': still here\n\n'

const toText = ({ event, data }: StreamEvent): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** @param open creates the source, which ends soon after its signal is aborted, or when it is returned */
export const toEventStream = (
  callerSignal: AbortSignal,
  open: (signal: AbortSignal) => AsyncGenerator<StreamEvent>,
): Response => {
  const encoder = new TextEncoder()
  const left = new AbortController()
  const source = open(AbortSignal.any([callerSignal, left.signal]))
  // at most one request for an event is open; it may last for several keep-alive intervals
  let next: Promise<IteratorResult<StreamEvent>> | null = null
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        next ??= source.next()
        const result = await orAfter(next, KEEP_ALIVE_MS, null)
        if (result === null) {
          controller.enqueue(encoder.encode(KEEP_ALIVE))
          return
        }
        next = null
        if (result.done) controller.close()
        else controller.enqueue(encoder.encode(toText(result.value)))
      },
      cancel: async () => {
        left.abort()
        // a source that waits for its event to be read does not see the signal
        await source.return(undefined)
      },
    },
    // no event in reserve, because a thousand callers may read nothing of theirs
    { highWaterMark: 0 },
  )
  // nginx, which by default asks by HTTP/1.0, would keep events until it has 4 KiB of them
  return new Response(stream, {
    headers: { 'content-type': EVENT_STREAM, 'x-accel-buffering': 'no' },
  })
}
