import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { useShortcut } from '../../../app/shortcuts.ts'
import { type FlowDefinition, readDefinition } from '../../../flow/definition.ts'
import { FlowGraph } from '../../../flow/flow-graph.tsx'
import { messages as flowMessages } from '../../../flow/messages.ts'
import { StartDialog } from '../../../flow/start-dialog.tsx'
import { StepFacts } from '../../../flow/step-facts.tsx'
import { useStepWord } from '../../../flow/step-kinds.ts'
import { undoneStep } from '../../../flow/undo-key.ts'
import { DetailPage } from '../../../kit/detail-page.tsx'
import { usePaletteCommand } from '../../../kit/palette-commands.ts'
import { useMessages } from '../../../language/messages.ts'
import { useApi } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { useIsNarrow } from '../../../ui/breakpoint.ts'
import { Button } from '../../../ui/button.tsx'
import { CommandLine } from '../../../ui/command-line.tsx'
import { CommitId } from '../../../ui/commit-id.tsx'
import { Card } from '../../../ui/facts.tsx'
import { Page } from '../../../ui/page.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { Links } from './links.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'
import { Runs } from './runs.tsx'
import type { FlowTab } from './search.ts'

const route = getRouteApi('/w/$ws/flows/$app/$flow')

const EVERY_MS = 10_000
export const FlowPage = () => {
  const { ws, app, flow } = route.useParams()
  const api = useApi()
  const query = useQuery({
    queryKey: [ws, 'flow', app, flow],
    queryFn: ({ signal }) => api.get('/flows/{app}/{flow}', { params: { app, flow }, signal }),
    refetchInterval: EVERY_MS,
  })
  return (
    <DetailPage query={query} title={`${app}/${flow}`} trail={<Trail />}>
      {(data) => <FlowDetail key={`${app}/${flow}`} flow={data} />}
    </DetailPage>
  )
}

const Trail = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  return (
    <Link to="/w/$ws/flows" params={{ ws }}>
      {t.flows}
    </Link>
  )
}

const FlowDetail = ({ flow }: Readonly<{ flow: Schemas['Flow'] }>) => {
  const t = useMessages(messages)
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  const isNarrow = useIsNarrow()
  const definition = useMemo(() => readDefinition(flow.definition), [flow.definition])
  const { concurrency: limit } = definition
  const open: FlowTab = tab ?? (isNarrow ? 'steps' : 'graph')
  return (
    <Page
      title={`${flow.app}/${flow.key}`}
      trail={<Trail />}
      about={
        <>
          {t.commit} <CommitId commit={flow.commit} />
          {limit === null ? null : <> · {t.atOnce(limit.limit, limit.key)}</>}
        </>
      }
      actions={<Start flow={flow} definition={definition} />}
    >
      <Tabs
        label={t.parts}
        open={open}
        onOpen={(name) =>
          void navigate({ search: (kept) => ({ ...kept, tab: name }), replace: true })
        }
        items={[
          { name: 'graph', label: t.graph, content: <Graph definition={definition} /> },
          { name: 'steps', label: t.steps, content: <StepList definition={definition} /> },
          { name: 'runs', label: t.runs, content: <Runs app={flow.app} flow={flow.key} /> },
          {
            name: 'links',
            label: t.links,
            content: <Links flow={flow} definition={definition} />,
          },
        ]}
      />
    </Page>
  )
}

type StartProps = Readonly<{ flow: Schemas['Flow']; definition: FlowDefinition }>

const Start = ({ flow, definition }: StartProps) => {
  const t = useMessages(messages)
  const may = useMay()
  const { start: isAsked = false } = route.useSearch()
  const navigate = route.useNavigate()
  const [isPressed, setOpen] = useState(false)
  const mayStart = may('flows:run')
  const isOpen = isPressed || isAsked
  const close = (): void => {
    setOpen(false)
    if (isAsked) {
      void navigate({ search: ({ start: _, ...kept }) => kept, replace: true })
    }
  }
  usePaletteCommand(mayStart ? t.start : null, () => setOpen(true))
  useShortcut(mayStart ? 'n' : null, t.start, () => setOpen(true))
  if (!mayStart) return null
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <Play size={15} aria-hidden="true" />
        {t.start}
      </Button>
      {isOpen ? (
        <StartDialog
          app={flow.app}
          flow={flow.key}
          definition={definition}
          draft={`${flow.app}/${flow.key}`}
          onClose={close}
        />
      ) : null}
    </>
  )
}

const Graph = ({ definition }: Readonly<{ definition: FlowDefinition }>) => {
  const t = useMessages(messages)
  const wordOf = useStepWord()
  const { step: key } = route.useSearch()
  const navigate = route.useNavigate()
  const step = definition.steps.find((each) => each.key === key) ?? null
  const choose = useCallback(
    (chosen: string) =>
      void navigate({
        search: (kept) => ({ ...kept, step: chosen }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  )
  return (
    <div className="columns columns-wide">
      <FlowGraph definition={definition} selected={step?.key ?? null} onSelect={choose} />
      <aside className="stack">
        {step === null ? (
          <p className="quiet">{t.pick}</p>
        ) : (
          <Card
            title={undoneStep(step.key)}
            actions={<span className="quiet">{wordOf(step.kind)}</span>}
          >
            <StepFacts step={step} definition={definition} />
          </Card>
        )}
        <Elsewhere />
      </aside>
    </div>
  )
}

/** The content of the graph as a list. */
const StepList = ({ definition }: Readonly<{ definition: FlowDefinition }>) => {
  const words = useMessages(flowMessages)
  const wordOf = useStepWord()
  return (
    <div className="stack">
      <ol className={styles.steps} aria-label={words.steps}>
        {definition.steps.map((step) => (
          <li key={step.key}>
            <Card
              title={undoneStep(step.key)}
              actions={<span className="quiet">{wordOf(step.kind)}</span>}
            >
              <StepFacts step={step} definition={definition} />
            </Card>
          </li>
        ))}
      </ol>
      <Elsewhere />
    </div>
  )
}

const Elsewhere = () => {
  const t = useMessages(messages)
  const { ws, app, flow } = route.useParams()
  const root = `${location.origin}/api/w/${ws}/flows`
  const path = `${app}/${flow}`
  return (
    <Card title={t.elsewhere}>
      <p className="quiet">{t.cli}</p>
      <CommandLine command={`svc flows run ${path} --input '{}'`} />
      <p className="quiet">{t.wait}</p>
      <CommandLine command={`${root}/run/${path}/wait`} />
      <p className="quiet">{t.webhook}</p>
      <CommandLine command={`${root}/webhook/${path}`} />
    </Card>
  )
}
