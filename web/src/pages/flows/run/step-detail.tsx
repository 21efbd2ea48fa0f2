/** Details of one step: times, result, input, its jobs, the runs that it started, and who answered. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Schemas } from '#sdk/client.ts'
import type { FlowDefinition } from '../../../flow/definition.ts'
import { StepFacts } from '../../../flow/step-facts.tsx'
import { STEP_KINDS, useStepName, useStepWord } from '../../../flow/step-kinds.ts'
import { useMessages } from '../../../language/messages.ts'
import { jobQuery } from '../../../live/queries.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { JsonView } from '../../../ui/code/json-view.tsx'
import { Card, Facts } from '../../../ui/facts.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { isObject } from '../../../ui/json-object.ts'
import { shortId } from '../../../ui/short-id.ts'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { Duration, RunningDuration, TimeAgo } from '../../../ui/time.tsx'
import styles from './detail.module.css'
import { messages } from './messages.ts'
import { StepJobs } from './step-jobs.tsx'

type Step = Schemas['FlowRunDetail']['steps'][number]

export type StepDetailProps = Readonly<{ step: Step; definition: FlowDefinition }>

export const StepDetail = ({ step, definition }: StepDetailProps) => {
  const t = useMessages(messages)
  const nameOf = useStepName()
  const may = useMay()
  const ws = useWorkspace()
  const defined = definition.steps.find(({ key }) => key === step.key) ?? null
  const lastJob = step.job_ids.at(-1)
  return (
    <>
      <Card title={nameOf(step.key)} actions={<StatusBadge status={step.status} />}>
        <StepTimes step={step} />
        {step.error === null ? null : <Failure error={step.error} />}
        {step.approvals === undefined || step.approvals.length === 0 ? null : (
          <Part title={t.answers}>
            <Answers answers={step.approvals} />
          </Part>
        )}
        {step.status === 'success' ? (
          <Part title={t.result}>
            <JsonView value={step.result} />
          </Part>
        ) : null}
        {lastJob === undefined || !may('jobs:read') ? null : (
          <Part title={t.input}>
            <JobInput id={lastJob} />
          </Part>
        )}
        {step.job_ids.length === 0 || !may('jobs:read') ? null : (
          <Part title={t.jobs}>
            <StepJobs ids={step.job_ids} />
          </Part>
        )}
        {step.flow_run_ids === undefined || step.flow_run_ids.length === 0 ? null : (
          <Part title={t.subruns}>
            <ul className={styles.links}>
              {step.flow_run_ids.map((id) => (
                <li key={id}>
                  <Link to="/w/$ws/flow-runs/$id" params={{ ws, id }}>
                    <code>{shortId(id)}</code>
                  </Link>
                </li>
              ))}
            </ul>
          </Part>
        )}
      </Card>
      {defined === null ? null : (
        <Card title={t.definition}>
          <StepFacts step={defined} definition={definition} />
        </Card>
      )}
    </>
  )
}

const Part = ({ title, children }: Readonly<{ title: string; children: ReactNode }>) => (
  <div className={styles.part}>
    <h3>{title}</h3>
    {children}
  </div>
)

const StepTimes = ({ step }: Readonly<{ step: Step }>) => {
  const t = useMessages(messages)
  const wordOf = useStepWord()
  const { kind, attempt, max_attempts, started_at, completed_at } = step
  const ms = (value: number | null): ReactNode =>
    value === null ? null : <Duration key="ms" ms={value} />
  return (
    <Facts
      facts={[
        [t.kind, wordOf(kind)],
        [t.attempt, max_attempts > 1 && attempt > 0 ? t.attempts(attempt, max_attempts) : null],
        [t.started, started_at === null ? null : <TimeAgo key="started" at={started_at} />],
        [t.queued, ms(step.queue_wait_ms)],
        [t.executed, ms(step.execution_ms)],
        [
          t.waitedForPeople,
          STEP_KINDS[kind].asksPeople === true && started_at !== null && completed_at === null ? (
            <RunningDuration key="people" since={started_at} />
          ) : (
            ms(step.human_wait_ms)
          ),
        ],
      ]}
    />
  )
}

/** The input of the last job, which the step computed from earlier results. */
const JobInput = ({ id }: Readonly<{ id: string }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const { data } = useQuery(jobQuery(api, ws, id))
  if (data === undefined) return null
  return data.input === undefined ? (
    <p className="quiet">{t.noInput}</p>
  ) : (
    <JsonView value={data.input} />
  )
}

const Answers = ({ answers }: Readonly<{ answers: NonNullable<Step['approvals']> }>) => {
  const t = useMessages(messages)
  return (
    <ul className={styles.answers}>
      {answers.map(({ approver, decision, values, reason, via, at }) => (
        <li key={approver}>
          <p>
            <strong>{approver}</strong>
            {t[decision]}
            <span className="quiet">
              {t.via(via)} · <TimeAgo at={at} />
            </span>
          </p>
          {reason === null ? null : <p>“{reason}”</p>}
          {isObject(values) && Object.keys(values).length > 0 ? <JsonView value={values} /> : null}
        </li>
      ))}
    </ul>
  )
}
