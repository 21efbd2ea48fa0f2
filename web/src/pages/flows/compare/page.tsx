/** Two runs side by side: the course of each, and the differences in their input and at each step. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowLeftRight } from 'lucide-react'
import { useMemo } from 'react'
import type { Schemas } from '#sdk/client.ts'
import {
  type ComparedStep,
  compareSteps,
  diffValues,
  isDifferent,
  type StepIn,
} from '../../../flow/compare-runs.ts'
import { useStepName } from '../../../flow/step-kinds.ts'
import { withUndoKeys } from '../../../flow/undo-key.ts'
import { CreatorLink } from '../../../kit/creator-name.tsx'
import { DetailPage } from '../../../kit/detail-page.tsx'
import { useFormat } from '../../../language/format.ts'
import { useMessages } from '../../../language/messages.ts'
import { flowRunQuery } from '../../../live/queries.ts'
import { useApi } from '../../../session/api.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { DiffView } from '../../../ui/code/diff-view.tsx'
import { CommitId } from '../../../ui/commit-id.tsx'
import { Card, Facts } from '../../../ui/facts.tsx'
import { Page } from '../../../ui/page.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { PlainTable } from '../../../ui/table/plain-table.tsx'
import { Duration, RunningDuration, ShortTime } from '../../../ui/time.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

type Run = Schemas['FlowRunDetail']

const route = getRouteApi('/w/$ws/flow-runs/$id/compare/$other')

/** A run that has not ended is read again. */
const EVERY_MS = 2_000
const useRun = (id: string) => {
  const { ws } = route.useParams()
  const api = useApi()
  return useQuery({
    ...flowRunQuery(api, ws, id),
    refetchInterval: ({ state }) =>
      state.data !== undefined && state.data.completed_at === null ? EVERY_MS : false,
  })
}

export const CompareRunsPage = () => {
  const t = useMessages(messages)
  const { id, other } = route.useParams()
  const [left, right] = [useRun(id), useRun(other)]
  const data = useMemo(
    () =>
      left.data === undefined || right.data === undefined
        ? undefined
        : ([withUndoKeys(left.data), withUndoKeys(right.data)] as const),
    [left.data, right.data],
  )
  const refetch = () => Promise.all([left.refetch(), right.refetch()])
  return (
    <DetailPage
      query={{ data, error: left.error ?? right.error, refetch }}
      title={t.title}
      trail={<Trail />}
    >
      {([one, two]) => <Comparison left={one} right={two} />}
    </DetailPage>
  )
}

const Trail = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  return (
    <Link to="/w/$ws/flow-runs" params={{ ws }}>
      {t.flowRuns}
    </Link>
  )
}

type Both = Readonly<{ left: Run; right: Run }>

const Comparison = ({ left, right }: Both) => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const steps = useMemo(() => compareSteps(left, right), [left, right])
  const isOneFlow = left.app === right.app && left.flow === right.flow
  return (
    <Page
      title={t.title}
      trail={<Trail />}
      about={isOneFlow ? `${left.app}/${left.flow}` : t.otherFlow}
      actions={
        <Link
          className={buttonClass()}
          to="/w/$ws/flow-runs/$id/compare/$other"
          params={{ ws, id: right.id, other: left.id }}
          replace
        >
          <ArrowLeftRight size={15} aria-hidden="true" />
          {t.swap}
        </Link>
      }
    >
      <div className={styles.runs}>
        <RunCard title={t.first} run={left} />
        <RunCard title={t.second} run={right} />
      </div>
      <Card title={t.steps}>
        <Steps steps={steps} />
      </Card>
      <Input left={left} right={right} />
      <Results steps={steps} />
    </Page>
  )
}

const RunCard = ({ title, run }: Readonly<{ title: string; run: Run }>) => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { id, status, created_at, completed_at, commit } = run
  return (
    <Card
      title={title}
      actions={
        <Link to="/w/$ws/flow-runs/$id" params={{ ws, id }}>
          {t.open}
        </Link>
      }
    >
      <Facts
        facts={[
          [t.status, <StatusBadge key="status" status={status} />],
          [t.flow, `${run.app}/${run.flow}`],
          [t.created, <ShortTime key="created" at={created_at} />],
          [
            t.took,
            completed_at === null ? (
              <RunningDuration key="took" since={created_at} />
            ) : (
              <Duration
                key="took"
                ms={Math.max(0, Date.parse(completed_at) - Date.parse(created_at))}
              />
            ),
          ],
          [t.startedBy, <CreatorLink key="by" of={run} />],
          [t.commit, <CommitId key="commit" commit={commit} />],
        ]}
      />
    </Card>
  )
}

const StepCell = ({ step }: Readonly<{ step: StepIn | null }>) => {
  const t = useMessages(messages)
  if (step === null) return <span className="quiet">{t.notThere}</span>
  return (
    <span className={styles.side}>
      <StatusBadge status={step.status} />
      {step.ms === null ? null : <Duration ms={step.ms} />}
    </span>
  )
}

/** The difference in duration. Positive if the second run took longer. */
const Slower = ({ step: { left, right } }: Readonly<{ step: ComparedStep }>) => {
  const { duration } = useFormat()
  if (left?.ms == null || right?.ms == null) return '–'
  const ms = right.ms - left.ms
  if (ms === 0) return '0'
  return <span title={`${ms} ms`}>{`${ms > 0 ? '+' : '−'}${duration(Math.abs(ms))}`}</span>
}

const Steps = ({ steps }: Readonly<{ steps: readonly ComparedStep[] }>) => {
  const t = useMessages(messages)
  const nameOf = useStepName()
  return (
    <PlainTable<ComparedStep>
      rows={steps}
      keyOf={({ key }) => key}
      columns={[
        {
          header: t.step,
          cell: (step) =>
            isDifferent(step) ? <strong>{nameOf(step.key)}</strong> : nameOf(step.key),
        },
        { header: t.first, cell: ({ left }) => <StepCell step={left} /> },
        { header: t.second, cell: ({ right }) => <StepCell step={right} /> },
        {
          header: t.difference,
          isEnd: true,
          isWideOnly: true,
          cell: (step) => <Slower step={step} />,
        },
      ]}
    />
  )
}

const Input = ({ left, right }: Both) => {
  const t = useMessages(messages)
  const hunks = useMemo(() => diffValues(left.input, right.input), [left.input, right.input])
  return (
    <Card title={t.input}>
      {hunks === null ? (
        <p className="quiet">{t.sameInput}</p>
      ) : (
        <DiffView label={t.lines(t.input)} hunks={hunks} />
      )}
    </Card>
  )
}

/** The first steps that differ are open, up to this number. */
const MOST_OPEN = 3

const Results = ({ steps }: Readonly<{ steps: readonly ComparedStep[] }>) => {
  const t = useMessages(messages)
  const changed = steps.filter(({ hunks }) => hunks !== null)
  return (
    <Card title={t.results}>
      {changed.length === 0 ? <p className="quiet">{t.sameResults}</p> : null}
      {changed.map(({ key, hunks }, at) => (
        <details key={key} className={styles.changed} open={at < MOST_OPEN}>
          <summary>{key}</summary>
          <DiffView label={t.lines(key)} hunks={hunks ?? []} />
        </details>
      ))}
    </Card>
  )
}
