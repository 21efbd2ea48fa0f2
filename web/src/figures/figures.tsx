/** Charts of runs, failures, durations and waits over time, for a workspace, an app or an action. A point links to its jobs. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { Loaded } from '../kit/detail-page.tsx'
import { useFormat } from '../language/format.ts'
import { useMessages } from '../language/messages.ts'
import { useApi, useWorkspace } from '../session/api.ts'
import { LineChart } from '../ui/chart/line-chart.tsx'
import styles from './figures.module.css'
import { messages } from './messages.ts'
import { jobsOf, seriesOf, totalsOf } from './series.ts'
import { WindowFilter } from './window-filter.tsx'
import { DEFAULT_WINDOW, WINDOWS, type WindowName } from './windows.ts'

const EVERY_MS = 15_000

export type FiguresProps = Readonly<{
  /** @default all apps */
  app?: string
  /** @default all actions */
  action?: string
  span: WindowName | undefined
  /** Shows a filter for the span. Without it, the page has one. */
  onSpan?: (span: WindowName) => void
}>

export const Figures = (props: FiguresProps) => {
  const ws = useWorkspace()
  // while they are loaded, another span shows those before, but another subject must not
  return <OwnFigures key={[ws, props.app, props.action].join('/')} {...props} />
}

const OwnFigures = ({ app, action, span = DEFAULT_WINDOW, onSpan }: FiguresProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const of = {
    ...(app === undefined ? {} : { app }),
    ...(action === undefined ? {} : { action }),
  }
  const query = useQuery({
    queryKey: [ws, 'figures', app, action, span],
    queryFn: ({ signal }) =>
      api.get('/jobs/figures', { query: { recent_seconds: WINDOWS[span], ...of }, signal }),
    refetchInterval: EVERY_MS,
    placeholderData: (before) => before,
  })
  return (
    <div className="stack">
      {onSpan === undefined ? null : <WindowFilter span={span} onSpan={onSpan} />}
      <section className={styles.figures} aria-label={t.figures}>
        <Loaded query={query}>{(figures) => <Charts of={of} figures={figures} />}</Loaded>
      </section>
    </div>
  )
}

type ChartsProps = Readonly<{
  of: Readonly<{ app?: string; action?: string }>
  figures: Schemas['JobFigures']
}>

const FAILURES = 1

const Charts = ({ of, figures }: ChartsProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const navigate = useNavigate()
  const { number, compact, duration } = useFormat()
  const { buckets } = figures
  const { runs, failures, isEstimated, isTruncated } = totalsOf(buckets)
  if (runs === 0) return <p className="quiet">{t.none}</p>
  const measures = [
    { title: t.duration, ...seriesOf(buckets, 'duration') },
    { title: t.wait, ...seriesOf(buckets, 'wait') },
  ]
  const shared = {
    times: buckets.map(({ at }) => Date.parse(at)),
    renderTime: (index: number, text: string) => (
      <Link to="/w/$ws/jobs" params={{ ws }} search={jobsOf(figures, index, of)}>
        {text}
      </Link>
    ),
  }
  const open = (index: number, status: { status?: 'failure' } = {}) =>
    void navigate({
      to: '/w/$ws/jobs',
      params: { ws },
      search: { ...jobsOf(figures, index, of), ...status },
    })
  return (
    <>
      <LineChart
        {...shared}
        title={t.runs}
        summary={(isTruncated ? t.countedAtLeast : t.counted)(number(runs), number(failures))}
        lines={[
          { name: t.runs, tone: 'accent', values: buckets.map((bucket) => bucket.runs) },
          { name: t.failures, tone: 'bad', values: buckets.map((bucket) => bucket.failures) },
        ]}
        isBars
        format={compact}
        onPick={(index, line) => open(index, line === FAILURES ? { status: 'failure' } : {})}
      />
      {measures.map(({ title, p50, p95, highest }) => (
        <LineChart
          {...shared}
          key={title}
          title={title}
          summary={
            highest === null ? t.noTimes : t.highest(duration(highest.p50), duration(highest.p95))
          }
          lines={[
            { name: t.p50, tone: 'accent', values: p50 },
            { name: t.p95, tone: 'warn', values: p95 },
          ]}
          format={duration}
          onPick={(index) => open(index)}
        />
      ))}
      {isEstimated ? <p className="hint">{t.estimated}</p> : null}
    </>
  )
}
