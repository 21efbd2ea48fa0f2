/** A flow run that is followed until its end: its detail, and how many items of each step are done. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { isObject } from '../../form/schema-field.ts'
import { useEventStream } from '../../live/use-event-stream.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { queryClient } from '../../session/query-client.ts'

export type Progress = Readonly<{ done: number; total: number }>
export type ProgressByStep = ReadonlyMap<string, Progress>

const NONE: ProgressByStep = new Map()

/** A loop of a thousand items tells a thousand times; the page reads it anew so often at most. */
const SETTLED_MS = 250

/** What is called often is done once in a while, and once more at the end. */
const useNowAndThen = (act: () => void): (() => void) => {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current)
    },
    [],
  )
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = null
      act()
    }, SETTLED_MS)
  }
}

export const useRun = (id: string) => {
  const ws = useWorkspace()
  const api = useApi()
  const queryKey = [ws, 'flow-run', id]
  const [progress, setProgress] = useState(NONE)
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.get('/flow-runs/{id}', { params: { id }, signal }),
  })
  const run = query.data
  const readAgain = useNowAndThen(() => void queryClient.invalidateQueries({ queryKey }))
  useEventStream({
    client: api,
    path:
      run === undefined || isOver(run)
        ? null
        : `/api/w/${encodeURIComponent(ws)}/flow-runs/${encodeURIComponent(id)}/events`,
    onStart: () => setProgress(NONE),
    onEvent: ({ event, data }) => {
      if (event === 'step' && isObject(data)) {
        const { key, done, total } = data
        if (typeof key === 'string' && typeof done === 'number' && typeof total === 'number') {
          setProgress((known) => new Map([...known, [key, { done, total }]]))
        }
      }
      readAgain()
    },
    onEnd: readAgain,
  })
  return { ...query, run, progress }
}

export const isOver = ({ completed_at }: Schemas['FlowRun']): boolean => completed_at !== null
