/**
 * Follows an event stream of the server, and reconnects when the connection breaks or the server restarts. Streams send
 * everything from their start, so listeners start again too (`onStart`). A hidden page follows no stream, because browsers
 * allow six connections to one server over all their tabs.
 */
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { ApiError, type Client, type ServerEvent } from '#sdk/client.ts'
import { readEvents } from '#sdk/event-stream.ts'
import { mayPass } from '../ui/retry.ts'

export type EventStreamOptions = Readonly<{
  client: Client
  /** Null to follow no stream. */
  path: string | null
  onStart?: () => void
  onEvent: (event: ServerEvent) => void
  /** Called when the server has sent everything. */
  onEnd?: () => void
  onRefused?: (error: Error) => void
}>

const FIRST_WAIT_MS = 500
const MOST_WAIT_MS = 5_000

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

type Listeners = Readonly<{ start: () => void; event: (event: ServerEvent) => void }>

/** Returns why the stream ended: it was complete, the connection broke, or the server refused it. */
const readOnce = async (
  client: Client,
  path: string,
  { signal, listeners }: Readonly<{ signal: AbortSignal; listeners: Listeners }>,
): Promise<'complete' | 'broken' | ApiError> => {
  try {
    const response = await client.fetch(path, { signal, headers: { accept: 'text/event-stream' } })
    if (response.body === null) return 'complete'
    listeners.start()
    for await (const event of readEvents(response.body)) {
      if (signal.aborted) return 'complete'
      listeners.event(event)
    }
    return 'complete'
  } catch (error) {
    return error instanceof ApiError && !mayPass(error) ? error : 'broken'
  }
}

const watchVisibility = (listener: () => void): (() => void) => {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

const useIsVisible = (): boolean => useSyncExternalStore(watchVisibility, () => !document.hidden)

export const useEventStream = ({ client, path, ...options }: EventStreamOptions): void => {
  const onStart = useEffectEvent(() => options.onStart?.())
  const onEvent = useEffectEvent((event: ServerEvent) => options.onEvent(event))
  const onEnd = useEffectEvent(() => options.onEnd?.())
  const onRefused = useEffectEvent((error: Error) => options.onRefused?.(error))
  const [complete, setComplete] = useState<string | null>(null)
  const isVisible = useIsVisible()
  // a complete stream is not requested again
  const followed = isVisible && path !== complete ? path : null
  useEffect(() => {
    if (followed === null) return
    const gone = new AbortController()
    const { signal } = gone
    const listeners = { start: () => onStart(), event: (event: ServerEvent) => onEvent(event) }
    const follow = async (): Promise<void> => {
      for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(wait * 2, MOST_WAIT_MS)) {
        const end = await readOnce(client, followed, { signal, listeners })
        if (signal.aborted) return
        if (end !== 'broken') {
          setComplete(followed)
          if (end === 'complete') onEnd()
          else onRefused(end)
          return
        }
        await pause(wait, signal)
      }
    }
    void follow()
    return () => gone.abort()
  }, [client, followed])
}
