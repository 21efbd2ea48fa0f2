/** Follows a flow run until it ends: its detail, and how many items of each step have ended. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import type { FlowDefinition } from '../../../flow/definition.ts'
import { itemCount } from '../../../flow/item-count.ts'
import { flowRunQuery } from '../../../live/queries.ts'
import { useEventStream } from '../../../live/use-event-stream.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import { isObject } from '../../../ui/json-object.ts'

/** How many jobs of a step have ended. */
type DoneByStep = ReadonlyMap<string, number>

export type Progress = Readonly<{ done: number; total: number }>
/** The progress of loops whose number of items is known. */
export type ProgressByStep = ReadonlyMap<string, Progress>

const NONE: DoneByStep = new Map()

/** Milliseconds. A loop of a thousand items sends a thousand events, but the page reads the run again at most this often. */
const SETTLED_MS = 250

/** Limits how often a function runs: once per interval, and once more at the end. */
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
  const options = flowRunQuery(api, ws, id)
  const [done, setDone] = useState(NONE)
  const query = useQuery(options)
  const run = query.data
  const readAgain = useNowAndThen(
    () => void queryClient.invalidateQueries({ queryKey: options.queryKey }),
  )
  useEventStream({
    client: api,
    path:
      run === undefined || isOver(run)
        ? null
        : `/api/w/${encodeURIComponent(ws)}/flow-runs/${encodeURIComponent(id)}/events`,
    onStart: () => setDone(NONE),
    onEvent: ({ event, data }) => {
      if (event === 'step' && isObject(data)) {
        const { key, done } = data
        if (typeof key === 'string' && typeof done === 'number') {
          setDone((known) => new Map([...known, [key, done]]))
        }
      }
      readAgain()
    },
    onEnd: readAgain,
  })
  return { ...query, run, done }
}

export const progressOf = (
  run: Schemas['FlowRunDetail'],
  definition: FlowDefinition,
  done: DoneByStep,
): ProgressByStep => {
  const results = new Map(run.steps.map(({ key, result }) => [key, result]))
  const counted = definition.steps.flatMap((step) => {
    const total = itemCount(step, { input: run.input, results })
    const { key } = step
    return total === null
      ? []
      : [[key, { done: Math.min(done.get(key) ?? 0, total), total }] as const]
  })
  return new Map(counted)
}

export const isOver = ({ completed_at }: Schemas['FlowRun']): boolean => completed_at !== null
