import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Figures } from '../../figures/figures.tsx'
import { WindowFilter } from '../../figures/window-filter.tsx'
import { WINDOWS, type WindowName } from '../../figures/windows.ts'
import { useFormat } from '../../language/format.ts'
import { useMessages } from '../../language/messages.ts'
import { lessOften } from '../../live/read-interval.ts'
import { useApi } from '../../session/api.ts'
import { useMay } from '../../session/session.ts'
import { ErrorState, Loading } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { FirstStepsCard } from './first-steps-card.tsx'
import { LatestFailures } from './latest-failures.tsx'
import { messages } from './messages.ts'
import { NextSchedules } from './next-schedules.tsx'
import styles from './page.module.css'
import { Queues } from './queues.tsx'
import { useFirstSteps } from './use-first-steps.ts'

const route = getRouteApi('/w/$ws/')

const EVERY_MS = 5_000

export const OverviewPage = () => {
  const t = useMessages(messages)
  const may = useMay()
  const { span = '24h' } = route.useSearch()
  const navigate = route.useNavigate()
  const first = useFirstSteps()
  // if nothing has run, the first steps are more useful than zeros
  if (first.steps !== null && !first.hasJob) {
    return (
      <Page title={t.overview}>
        <FirstStepsCard {...first} />
      </Page>
    )
  }
  if (!first.isKnown) {
    return (
      <Page title={t.overview}>
        <Loading />
      </Page>
    )
  }
  return (
    <Page
      title={t.overview}
      actions={
        <WindowFilter
          span={span}
          onSpan={(next) => void navigate({ search: { span: next }, replace: true })}
        />
      }
    >
      <FirstStepsCard {...first} />
      {may('jobs:read') ? <Counts span={span} /> : null}
      {may('jobs:read') ? <Figures span={span} /> : null}
      <div className={styles.cards}>
        {may('workers:read') ? <Queues /> : null}
        {may('jobs:read') ? <LatestFailures /> : null}
        {may('schedules:read') ? <NextSchedules /> : null}
      </div>
    </Page>
  )
}

const Counts = ({ span }: Readonly<{ span: WindowName }>) => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { number } = useFormat()
  const api = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: [ws, 'summary', span],
    queryFn: ({ signal }) =>
      api.get('/jobs/summary', { query: { recent_seconds: WINDOWS[span] }, signal }),
    refetchInterval: lessOften(EVERY_MS),
  })
  if (data === undefined && error !== null) {
    return <ErrorState error={error} onRetry={refetch} />
  }
  // the lists behind the numbers show the counted jobs, one by one
  const ended = { span, flows: 'each' } as const
  const counts = [
    { filter: { status: 'queued' }, label: t.queued, value: data?.queued_count },
    { filter: { status: 'suspended' }, label: t.suspended, value: data?.suspended_count },
    { filter: { status: 'running', flows: 'each' }, label: t.running, value: data?.running_count },
    { filter: { ...ended, status: 'success' }, label: t.completed, value: data?.completed_count },
    { filter: { ...ended, status: 'failure' }, label: t.failed, value: data?.failed_count },
    { filter: { ...ended, status: 'canceled' }, label: t.canceled, value: data?.canceled_count },
  ] as const
  return (
    <section className={styles.counts} aria-label={t.counts}>
      {counts.map(({ filter, label, value }) => (
        <Link
          key={filter.status}
          to="/w/$ws/jobs"
          params={{ ws }}
          search={filter}
          className={styles.count ?? ''}
          data-bad={
            filter.status === 'failure' && value !== undefined && value > 0 ? '' : undefined
          }
        >
          {label}
          {/* the page does not move when the numbers arrive */}
          <strong>{value === undefined ? '–' : number(value)}</strong>
        </Link>
      ))}
    </section>
  )
}
