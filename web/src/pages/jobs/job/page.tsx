import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { isTrialApp } from '../../../draft/trial.ts'
import { EventWaits } from '../../../event/event-waits.tsx'
import { CreatorLink } from '../../../kit/creator-name.tsx'
import { DetailPage } from '../../../kit/detail-page.tsx'
import { dismissalFact } from '../../../kit/dismiss.tsx'
import { jobStatus } from '../../../kit/job-status.ts'
import { labelsFact } from '../../../kit/labels.tsx'
import { OriginTrail } from '../../../kit/origin-trail.tsx'
import { useMessages } from '../../../language/messages.ts'
import { JobLog } from '../../../live/job-log.tsx'
import { isOver, useJob } from '../../../live/use-job.ts'
import { useMay } from '../../../session/session.ts'
import { JsonView } from '../../../ui/code/json-view.tsx'
import { CommitId } from '../../../ui/commit-id.tsx'
import { CopyableId } from '../../../ui/copyable-id.tsx'
import { Card, Facts } from '../../../ui/facts.tsx'
import type { ShowPlace } from '../../../ui/log/log-row.tsx'
import { Page } from '../../../ui/page.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { JobActions } from './actions.tsx'
import { JobAttempts } from './attempts.tsx'
import { JobError } from './error.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'
import { usePlaceLinks } from './place-links.tsx'
import type { JobTab } from './search.ts'
import { JobSteps } from './steps.tsx'
import { Timeline } from './timeline.tsx'
import { WaitReason } from './wait-reason.tsx'

const route = getRouteApi('/w/$ws/jobs/$id')

export const JobPage = () => {
  const { ws, id } = route.useParams()
  const query = useJob(id)
  return (
    <DetailPage query={query} title={id} trail={<Trail ws={ws} />}>
      {(found) => <JobDetail key={id} job={found} />}
    </DetailPage>
  )
}

const Trail = ({ ws }: Readonly<{ ws: string }>) => {
  const t = useMessages(messages)
  return (
    <Link to="/w/$ws/jobs" params={{ ws }}>
      {t.jobs}
    </Link>
  )
}

const JobDetail = ({ job }: Readonly<{ job: Schemas['JobDetail'] }>) => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  // while the job runs, the log is the most useful tab
  const showPlace = usePlaceLinks(job)
  const open: JobTab = tab ?? (isOver(job) ? 'result' : 'log')
  return (
    <Page
      title={`${job.app}/${job.action}`}
      trail={
        <>
          <Trail ws={ws} />
          <OriginTrail
            of={job}
            run={job.flow_run_id ?? null}
            flow={job.flow === undefined ? null : `${job.app}/${job.flow}`}
            step={job.flow_step ?? null}
          />
        </>
      }
      about={
        // a screen reader announces when the job ends
        <span className="row" role="status">
          <StatusBadge status={jobStatus(job)} />
          {isTrialApp(job.app) ? <span className="quiet">{t.trial}</span> : null}
        </span>
      }
      actions={<JobActions job={job} isOver={isOver(job)} />}
    >
      <JobProgress job={job} />
      <div className="columns">
        <Tabs
          label={t.parts}
          open={open}
          onOpen={(name) => void navigate({ search: { tab: name }, replace: true })}
          items={[
            {
              name: 'result',
              label: job.status === 'failure' ? t.error : t.result,
              content: <Result job={job} showPlace={showPlace} />,
            },
            { name: 'input', label: t.input, content: <Input job={job} /> },
            {
              name: 'log',
              label: t.log,
              content: <JobLog jobId={job.id} isOver={isOver(job)} showPlace={showPlace} />,
            },
            { name: 'steps', label: t.steps, content: <JobSteps jobId={job.id} /> },
            {
              name: 'attempts',
              label: job.attempt > 1 ? `${t.attempts} ${job.attempt}` : t.attempts,
              content: <JobAttempts jobId={job.id} />,
            },
          ]}
        />
        <aside className="stack">
          <EventWaits id={job.id} waits={job.event_waits} queryKey={[ws, 'job', job.id]} />
          <Card title={t.timeline}>
            <Timeline job={job} />
          </Card>
          <Card title={t.details}>
            <JobFacts job={job} />
          </Card>
        </aside>
      </div>
    </Page>
  )
}

type ResultProps = Readonly<{ job: Schemas['JobDetail']; showPlace: ShowPlace | undefined }>

const Result = ({ job, showPlace }: ResultProps) => {
  const t = useMessages(messages)
  if (!isOver(job)) return <p>{t.noResult}</p>
  if (job.status === 'failure') return <JobError job={job} showPlace={showPlace} />
  return <JsonView value={job.result} />
}

const Input = ({ job }: Readonly<{ job: Schemas['JobDetail'] }>) => {
  const t = useMessages(messages)
  return job.input === undefined ? <p>{t.noInput}</p> : <JsonView value={job.input} />
}

/** The progress that the job reported by ctx.progress. */
const JobProgress = ({ job: { progress } }: Readonly<{ job: Schemas['JobDetail'] }>) => {
  const t = useMessages(messages)
  if (progress === undefined) return null
  const { fraction, note } = progress
  return (
    <p className={styles.progress}>
      <progress aria-label={t.progress} max={1} value={fraction} />
      <span>
        {Math.round(100 * fraction)} %{note === null ? '' : ` · ${note}`}
      </span>
    </p>
  )
}

const JobFacts = ({ job }: Readonly<{ job: Schemas['JobDetail'] }>) => {
  const t = useMessages(messages)
  return (
    <Facts
      facts={[
        [t.id, <CopyableId key="id" id={job.id} />],
        [t.waitsFor, job.waiting_for === null ? null : <WaitReason key="waits" job={job} />],
        [t.startedBy, <CreatorLink key="by" of={job} />],
        [t.tag, job.tag],
        [t.priority, job.priority === 0 ? null : job.priority],
        [t.commit, <CommitId key="commit" commit={job.commit} />],
        [t.entrypoint, <code key="entrypoint">{job.entrypoint}</code>],
        [t.worker, job.worker],
        labelsFact(t.labels, { labels: job.labels, to: '/w/$ws/jobs' }),
        dismissalFact(t.dismissed, job),
        [
          t.flow,
          job.flow_run_id === undefined ? null : (
            <FlowPlace key="flow" run={job.flow_run_id} step={job.flow_step ?? null} />
          ),
        ],
      ]}
    />
  )
}

const SHORT_RUN = 8

/** A link to the run that the job belongs to, open at its step. */
const FlowPlace = ({ run, step }: Readonly<{ run: string; step: string | null }>) => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const may = useMay()
  const text = [run.slice(0, SHORT_RUN), ...(step === null ? [] : [`${t.step} ${step}`])].join(', ')
  if (!may('flows:read')) return text
  return (
    <Link
      to="/w/$ws/flow-runs/$id"
      params={{ ws, id: run }}
      search={step === null ? {} : { step }}
      title={run}
    >
      {text}
    </Link>
  )
}
