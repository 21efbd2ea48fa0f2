import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useCallback, useMemo, useRef } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { EventWaits } from '../../../event/event-waits.tsx'
import { readDefinition } from '../../../flow/definition.ts'
import { FlowGraph } from '../../../flow/flow-graph.tsx'
import type { StepState } from '../../../flow/graph-box.tsx'
import { messages as flowMessages } from '../../../flow/messages.ts'
import { armMarks, markOf } from '../../../flow/run-marks.ts'
import { shownStatus } from '../../../flow/shown-status.ts'
import { withUndoKeys } from '../../../flow/undo-key.ts'
import { DetailPage } from '../../../kit/detail-page.tsx'
import { OriginTrail } from '../../../kit/origin-trail.tsx'
import { useFormat } from '../../../language/format.ts'
import { useMessages } from '../../../language/messages.ts'
import { useIsNarrow } from '../../../ui/breakpoint.ts'
import { Button } from '../../../ui/button.tsx'
import { Page } from '../../../ui/page.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { RunActions } from './actions.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'
import { RunDetail } from './run-detail.tsx'
import type { RunView } from './search.ts'
import { StepDetail } from './step-detail.tsx'
import { Timeline } from './timeline.tsx'
import { isOver, type ProgressByStep, progressOf, useRun } from './use-run.ts'
import { WaitingCard } from './waiting-card.tsx'

const route = getRouteApi('/w/$ws/flow-runs/$id')

export const FlowRunPage = () => {
  const { id } = route.useParams()
  const { run, done, error, refetch } = useRun(id)
  return (
    <DetailPage query={{ data: run, error, refetch }} title={id} trail={<Trail />}>
      {(found) => <Run key={id} run={found} done={done} />}
    </DetailPage>
  )
}

const Trail = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  return (
    <Link to="/w/$ws/flow-runs" params={{ ws }}>
      {t.runs}
    </Link>
  )
}

type RunProps = Readonly<{
  run: Schemas['FlowRunDetail']
  /** Number of ended jobs of each step. */
  done: ReadonlyMap<string, number>
}>

/** The marks and notes of the graph. */
const useStates = (
  run: Schemas['FlowRunDetail'],
  progress: ProgressByStep,
): ReadonlyMap<string, StepState> => {
  const { noItems } = useMessages(flowMessages)
  const { duration, number } = useFormat()
  return useMemo(
    () =>
      new Map(
        run.steps.map((step) => {
          const { key, status, started_at, completed_at } = step
          const { done = 0, total = null } = progress.get(key) ?? {}
          const took =
            started_at === null || completed_at === null || status === 'skipped'
              ? null
              : duration(Math.max(0, Date.parse(completed_at) - Date.parse(started_at)))
          const counted =
            status === 'running' && (total ?? 0) > 1
              ? `${number(done)}/${number(total ?? 0)}`
              : status === 'success' && total === 0
                ? noItems
                : null
          const marks = { ...markOf(step, isOver(run)), arms: armMarks(step, isOver(run)) }
          return [key, { ...marks, note: counted ?? took }]
        }),
      ),
    [run, progress, duration, number, noItems],
  )
}

const Run = ({ run: found, done: ended }: RunProps) => {
  const run = useMemo(() => withUndoKeys(found), [found])
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { view, step } = route.useSearch()
  const navigate = route.useNavigate()
  const isNarrow = useIsNarrow()
  const side = useRef<HTMLElement>(null)
  const definition = useMemo(() => readDefinition(run.definition), [run.definition])
  const progress = useMemo(() => progressOf(run, definition, ended), [run, definition, ended])
  const states = useStates(run, progress)
  const open: RunView = view ?? (isNarrow ? 'timeline' : 'graph')
  const chosen = run.steps.find(({ key }) => key === step) ?? null
  const choose = useCallback(
    (key: string | null) => {
      void navigate({
        search: ({ view: kept }) => ({
          ...(kept === undefined ? {} : { view: kept }),
          ...(key === null ? {} : { step: key }),
        }),
        replace: true,
        resetScroll: false,
      })
      // farther down, the change would be out of view
      side.current?.scrollIntoView({ block: 'nearest' })
    },
    [navigate],
  )
  const views = {
    graph: (
      <FlowGraph
        definition={definition}
        states={states}
        selected={chosen?.key ?? null}
        onSelect={choose}
      />
    ),
    timeline: (
      <Timeline run={run} progress={progress} selected={chosen?.key ?? null} onSelect={choose} />
    ),
  }
  return (
    <Page
      title={`${run.app}/${run.flow}`}
      trail={
        <>
          <Trail />
          <OriginTrail of={run} run={run.parent_run_id} />
        </>
      }
      about={
        <span role="status">
          <StatusBadge status={shownStatus(run)} />
        </span>
      }
      actions={<RunActions run={run} definition={definition} step={chosen?.key ?? null} />}
    >
      <WaitingCard run={run} definition={definition} />
      <EventWaits id={run.id} waits={run.event_waits} queryKey={[ws, 'flow-run', run.id]} />
      <div className="columns columns-wide">
        <Tabs
          label={t.views}
          open={open}
          onOpen={(name) =>
            void navigate({ search: (kept) => ({ ...kept, view: name }), replace: true })
          }
          items={[
            { name: 'graph', label: t.graph, content: views.graph },
            { name: 'timeline', label: t.timeline, content: views.timeline },
          ]}
        />
        <aside className={styles.side} ref={side}>
          {chosen === null ? (
            <RunDetail run={run} onSelect={choose} />
          ) : (
            <>
              <Button className={styles.back} onClick={() => choose(null)}>
                <ArrowLeft size={15} aria-hidden="true" />
                {t.wholeRun}
              </Button>
              <StepDetail key={chosen.key} step={chosen} definition={definition} />
            </>
          )}
        </aside>
      </div>
    </Page>
  )
}
