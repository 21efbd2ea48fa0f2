/** A run as a whole: its input, its result, and what started it. */
import { Link } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { CreatorLink } from '../../../kit/creator-name.tsx'
import { dismissalFact } from '../../../kit/dismiss.tsx'
import { labelsFact } from '../../../kit/labels.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useWorkspace } from '../../../session/api.ts'
import { JsonView } from '../../../ui/code/json-view.tsx'
import { CommitId } from '../../../ui/commit-id.tsx'
import { CopyableId } from '../../../ui/copyable-id.tsx'
import { Card, Facts } from '../../../ui/facts.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { shortId } from '../../../ui/short-id.ts'
import { Duration, ShortTime, TimeAgo } from '../../../ui/time.tsx'
import { FailedStep } from './failed-step.tsx'
import { messages } from './messages.ts'

type Run = Schemas['FlowRunDetail']

export type RunDetailProps = Readonly<{ run: Run; onSelect: (step: string) => void }>

const BAD: readonly string[] = ['failure', 'rejected', 'timed_out']

export const RunDetail = ({ run, onSelect }: RunDetailProps) => {
  const t = useMessages(messages)
  const failed = run.steps.find(({ status }) => BAD.includes(status))
  return (
    <>
      <Card title={run.error === null ? t.result : t.error}>
        {run.error !== null ? (
          <>
            <Failure error={run.error} />
            {failed === undefined ? null : (
              <FailedStep run={run} step={failed} onSelect={() => onSelect(failed.key)} />
            )}
          </>
        ) : run.completed_at === null ? (
          <p className="quiet">
            {run.waiting_for != null ? (
              t.waitsForPlace
            ) : run.scheduled_for == null ? (
              t.noResult
            ) : (
              <>
                {t.starts} <ShortTime at={run.scheduled_for} />
              </>
            )}
          </p>
        ) : (
          <JsonView value={run.result} />
        )}
      </Card>
      <Card title={t.input}>
        <JsonView value={run.input} />
      </Card>
      <Card title={t.details}>
        <RunFacts run={run} />
      </Card>
    </>
  )
}

const RunLink = ({ id }: Readonly<{ id: string }>) => {
  const ws = useWorkspace()
  return (
    <Link to="/w/$ws/flow-runs/$id" params={{ ws, id }}>
      <code>{shortId(id)}</code>
    </Link>
  )
}

const RunFacts = ({ run }: Readonly<{ run: Run }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  return (
    <Facts
      facts={[
        [t.id, <CopyableId key="id" id={run.id} />],
        [
          t.flow,
          <Link
            key="flow"
            to="/w/$ws/flows/$app/$flow"
            params={{ ws, app: run.app, flow: run.flow }}
          >
            {run.app}/{run.flow}
          </Link>,
        ],
        [t.startedBy, <CreatorLink key="by" of={run} />],
        [t.runsAs, run.permissioned_as === run.created_by ? null : run.permissioned_as],
        [t.trigger, t[run.trigger_kind]],
        [t.commit, <CommitId key="commit" commit={run.commit} />],
        [t.parent, run.parent_run_id === null ? null : <RunLink key="p" id={run.parent_run_id} />],
        [
          t.restartedFrom,
          run.restarted_from === null ? null : <RunLink key="r" id={run.restarted_from} />,
        ],
        labelsFact(t.labels, { labels: run.labels, to: '/w/$ws/flow-runs' }),
        dismissalFact(t.dismissed, run),
        [t.created, <TimeAgo key="created" at={run.created_at} />],
        [
          t.took,
          run.completed_at === null ? null : (
            <Duration
              key="took"
              ms={Math.max(0, Date.parse(run.completed_at) - Date.parse(run.created_at))}
            />
          ),
        ],
      ]}
    />
  )
}
