/** The log of a job, updated while it is written. */
import { useEffect, useRef, useState } from 'react'
import type { ServerEvent } from '#sdk/event-stream.ts'
import { keepSetting } from '../browser/settings.ts'
import { useApi, useWorkspace } from '../session/api.ts'
import { addPieces, type LogPiece, NO_LINES } from '../ui/log/log-lines.ts'
import type { ShowPlace } from '../ui/log/log-row.tsx'
import { LogView } from '../ui/log/log-view.tsx'
import { ErrorState } from '../ui/notice.tsx'
import { useEventStream } from './use-event-stream.ts'

const isPiece = (value: unknown): value is LogPiece =>
  typeof value === 'object' &&
  value !== null &&
  ['at', 'stream', 'text'].every((name) => typeof Reflect.get(value, name) === 'string')

const piecesOf = ({ event, data }: ServerEvent): readonly LogPiece[] =>
  event === 'log' && Array.isArray(data) ? data.filter((each) => isPiece(each)) : []

export type JobLogProps = Readonly<{
  jobId: string
  isOver: boolean
  /** Shows source places as links. */
  showPlace: ShowPlace | undefined
}>

export const JobLog = ({ jobId, isOver, showPlace }: JobLogProps) => {
  const ws = useWorkspace()
  const [log, setLog] = useState(NO_LINES)
  const read = useRef(NO_LINES)
  const [hasStarted, setStarted] = useState(false)
  const [hasEnded, setEnded] = useState(false)
  const [refusal, setRefusal] = useState<Error | null>(null)
  // the checklist of first steps on the overview marks it as done
  useEffect(() => keepSetting(`log-seen ${ws}`, 'yes'), [ws])
  const path = `/api/w/${encodeURIComponent(ws)}/jobs/${encodeURIComponent(jobId)}/logs`
  useEventStream({
    client: useApi(),
    path: `${path}?format=json`,
    onStart: () => {
      read.current = NO_LINES
      setStarted(true)
    },
    onEvent: (event) => {
      const next = addPieces(read.current, piecesOf(event))
      read.current = next
      // a stream that starts again sends the shown lines first, and the reader keeps the place in them
      setLog((known) => (next.lines.length < known.lines.length ? known : next))
    },
    onEnd: () => {
      setLog(read.current)
      setEnded(true)
    },
    onRefused: setRefusal,
  })
  if (refusal !== null) return <ErrorState error={refusal} />
  return (
    <LogView
      lines={log.lines}
      isLoading={!hasStarted || (isOver && !hasEnded)}
      isLive={!(hasEnded && isOver)}
      href={path}
      fileName={`${jobId}.log`}
      showPlace={showPlace}
    />
  )
}
