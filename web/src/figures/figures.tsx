/** Runs, failures, durations and waits over time, of a workspace or of one app. */
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../kit/detail-page.tsx'
import { useFormat } from '../language/format.ts'
import { useMessages } from '../language/messages.ts'
import { useApi, useWorkspace } from '../session/api.ts'
import { LineChart } from '../ui/line-chart.tsx'
import styles from './figures.module.css'
import { messages } from './messages.ts'
import { type Bucket, seriesOf, totalsOf } from './series.ts'

const EVERY_MS = 15_000

export type FiguresProps = Readonly<{
  /** The figures are those of all apps if it is null. */
  app: string | null
  /** How far back. */
  seconds: number
}>

export const Figures = ({ app, seconds }: FiguresProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const query = useQuery({
    queryKey: [ws, 'figures', app, seconds],
    queryFn: ({ signal }) =>
      api.get('/jobs/figures', {
        query: { recent_seconds: seconds, ...(app === null ? {} : { app }) },
        signal,
      }),
    refetchInterval: EVERY_MS,
    placeholderData: (before) => before,
  })
  return (
    <section className={styles.figures} aria-label={t.figures}>
      <Loaded query={query}>
        {({ buckets }) => <Charts buckets={buckets} hasRuns={app !== null} />}
      </Loaded>
    </section>
  )
}

type ChartsProps = Readonly<{
  buckets: readonly Bucket[]
  /** The overview shows ended jobs in a chart of its own. */
  hasRuns: boolean
}>

const Charts = ({ buckets, hasRuns }: ChartsProps) => {
  const t = useMessages(messages)
  const { number, compact, duration } = useFormat()
  const { runs, failures, isEstimated } = totalsOf(buckets)
  const times = buckets.map(({ at }) => Date.parse(at))
  if (runs === 0) return hasRuns ? <p className="quiet">{t.none}</p> : null
  const measures = [
    { title: t.duration, ...seriesOf(buckets, 'duration') },
    { title: t.wait, ...seriesOf(buckets, 'wait') },
  ]
  return (
    <>
      {hasRuns ? (
        <LineChart
          title={t.runs}
          summary={t.counted(number(runs), number(failures))}
          times={times}
          lines={[
            { name: t.runs, tone: 'accent', values: buckets.map((bucket) => bucket.runs) },
            { name: t.failures, tone: 'bad', values: buckets.map((bucket) => bucket.failures) },
          ]}
          format={compact}
        />
      ) : null}
      {measures.map(({ title, p50, p95, highest }) => (
        <LineChart
          key={title}
          title={title}
          summary={t.highest(duration(highest.p50), duration(highest.p95))}
          times={times}
          lines={[
            { name: t.p50, tone: 'accent', values: p50 },
            { name: t.p95, tone: 'warn', values: p95 },
          ]}
          format={duration}
        />
      ))}
      {isEstimated ? <p className="hint">{t.estimated}</p> : null}
    </>
  )
}
