/** Why a job failed: the thrown error, and the end of its log with the stack trace. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { Failure } from '../../../ui/failure.tsx'
import { addPieces, NO_LINES } from '../../../ui/log/log-lines.ts'
import { LogRow, type ShowPlace } from '../../../ui/log/log-row.tsx'
import { reachableScroller } from '../../../ui/reachable-scroller.ts'
import styles from './error.module.css'
import { messages } from './messages.ts'
import { CallLink, useOpenCall } from './open-call.tsx'

const TAIL_BYTES = 16_384
const MOST_LINES = 30

export type JobErrorProps = Readonly<{
  job: Schemas['JobDetail']
  showPlace: ShowPlace | undefined
}>

export const JobError = ({ job, showPlace }: JobErrorProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const { id, result } = job
  const { data } = useQuery({
    queryKey: [ws, 'log-tail', id],
    queryFn: ({ signal }) =>
      api.get('/jobs/{id}/logs', {
        params: { id },
        query: { format: 'json', tail_bytes: String(TAIL_BYTES) },
        signal,
      }),
  })
  const call = useOpenCall(job)
  const pieces = typeof data === 'object' ? data.items : []
  const lines = addPieces(NO_LINES, pieces).lines.slice(-MOST_LINES)
  return (
    <div className="stack">
      <Failure error={result} />
      {call === undefined ? null : (
        <p>
          <CallLink step={call}>
            {call.child_flow_run_id === null ? t.failedJob : t.failedRun}
          </CallLink>
        </p>
      )}
      {lines.length === 0 ? null : (
        <section className={styles.tail} aria-label={t.logEnd}>
          <header>
            <h2>{t.logEnd}</h2>
            <Link to="/w/$ws/jobs/$id" params={{ ws, id }} search={{ tab: 'log' }}>
              {t.wholeLog}
            </Link>
          </header>
          <ol ref={reachableScroller}>
            {lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an ended job never change
              <li key={index} data-stream={line.stream}>
                <LogRow
                  line={line}
                  number={null}
                  hasTime={false}
                  wanted=""
                  {...(showPlace === undefined ? {} : { showPlace })}
                />
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  )
}
