/** The log of a job, as it is written. */
import { useEffect, useState } from 'react'
import { keepSetting } from '../../../browser/settings.ts'
import { splitLines } from '../../../live/split-lines.ts'
import { useEventStream } from '../../../live/use-event-stream.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { LogView } from '../../../ui/log-view.tsx'
import { ErrorState } from '../../../ui/notice.tsx'

const NO_LINES: readonly string[] = []

export const JobLog = ({ jobId, isOver }: Readonly<{ jobId: string; isOver: boolean }>) => {
  const ws = useWorkspace()
  const [lines, setLines] = useState(NO_LINES)
  const [hasEnded, setEnded] = useState(false)
  const [refusal, setRefusal] = useState<Error | null>(null)
  useEffect(() => keepSetting(`log-seen ${ws}`, 'yes'), [ws])
  const path = `/api/w/${encodeURIComponent(ws)}/jobs/${encodeURIComponent(jobId)}/logs`
  useEventStream({
    client: useApi(),
    path,
    onStart: () => setLines(NO_LINES),
    onEvent: ({ event, data }) => {
      if (event === 'log' && typeof data === 'string') {
        setLines((known) => splitLines(known, data))
      }
    },
    onEnd: () => setEnded(true),
    onRefused: setRefusal,
  })
  if (refusal !== null) return <ErrorState error={refusal} />
  return (
    <LogView
      lines={lines.at(-1) === '' ? lines.slice(0, -1) : lines}
      isLive={!(hasEnded && isOver)}
      href={path}
      fileName={`${jobId}.log`}
    />
  )
}
