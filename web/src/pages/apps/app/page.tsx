import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Code } from 'lucide-react'
import type { Schemas } from '#sdk/client.ts'
import { Figures } from '../../../figures/figures.tsx'
import { DetailPage } from '../../../kit/detail-page.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { CommitId } from '../../../ui/commit-id.tsx'
import { EmptyState, Loading } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import { DeployGuide } from '../deploy-guide.tsx'
import { EditDraft } from '../edit-draft.tsx'
import {
  appQuery,
  flowsQuery,
  functionsQuery,
  schedulesQuery,
  watchedActionsQuery,
} from '../queries.ts'
import { ActionList } from './action-list.tsx'
import { DeleteApp } from './delete-app.tsx'
import { DeploymentList } from './deployment-list.tsx'
import { FlowList } from './flow-list.tsx'
import { FunctionList } from './function-list.tsx'
import { HostList } from './host-list.tsx'
import hostStyles from './hosts.module.css'
import { messages } from './messages.ts'
import { ScheduleList } from './schedule-list.tsx'
import type { AppTab } from './search.ts'
import { SourcePanel } from './source-panel.tsx'

const route = getRouteApi('/w/$ws/apps/$app')

export const AppPage = () => {
  const t = useMessages(messages)
  const { ws, app: key } = route.useParams()
  const api = useApi()
  const query = useQuery(appQuery(api, ws, key))
  const trail = (
    <Link to="/w/$ws/apps" params={{ ws }}>
      {t.apps}
    </Link>
  )
  return (
    <DetailPage query={query} title={key} trail={trail}>
      {(app) => (
        <Page
          title={key}
          trail={trail}
          about={<About app={app} />}
          actions={
            <>
              {app.deployment_id === null ? null : (
                <ButtonLink to="/w/$ws/apps/$app/code" params={{ ws, app: key }}>
                  <Code size={15} aria-hidden="true" />
                  {t.code}
                </ButtonLink>
              )}
              <EditDraft app={key} />
              <DeleteApp app={key} />
            </>
          }
        >
          <AppParts app={app} />
        </Page>
      )}
    </DetailPage>
  )
}

const About = ({ app }: Readonly<{ app: Schemas['App'] }>) => {
  const t = useMessages(messages)
  if (app.deployment_id === null) return app.name === app.key ? null : app.name
  return (
    <>
      {app.name === app.key ? null : `${app.name} · `}
      <CommitId commit={app.commit} /> {t.deployed} <TimeAgo at={app.updated_at} />
    </>
  )
}

const AppParts = ({ app }: Readonly<{ app: Schemas['App'] }>) => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { tab, span } = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const may = useMay()
  const actions = useQuery(watchedActionsQuery(api, ws, app.key))
  const functions = useQuery(functionsQuery(api, ws, app.key))
  const [readsFlows, readsSchedules] = [may('flows:read'), may('schedules:read')]
  const flows = useQuery({ ...flowsQuery(api, ws, app.key), enabled: readsFlows })
  const schedules = useQuery({ ...schedulesQuery(api, ws, app.key), enabled: readsSchedules })
  const hasFunctions = (functions.data?.length ?? 0) > 0
  if (app.deployment_id === null && functions.isPending) return <Loading />
  if (app.deployment_id === null && !hasFunctions) {
    const mayDeploy = may('deployments:write')
    return (
      <EmptyState
        title={t.neverDeployed}
        text={mayDeploy ? t.neverDeployedText : t.neverDeployedReader}
      >
        {mayDeploy ? <DeployGuide app={app.key} /> : null}
      </EmptyState>
    )
  }
  // an app with only functions opens at them
  const first: AppTab = app.deployment_id === null ? 'functions' : 'actions'
  return (
    <Tabs
      label={t.parts}
      open={tab ?? first}
      onOpen={(name) => void navigate({ search: { tab: name }, replace: true })}
      items={[
        {
          name: 'actions',
          label: withCount(t.actions, actions.data?.length),
          content: <ActionList app={app.key} />,
        },
        ...(readsFlows
          ? [
              {
                name: 'flows',
                label: withCount(t.flows, flows.data?.length),
                content: <FlowList app={app.key} />,
              } as const,
            ]
          : []),
        {
          name: 'functions',
          label: withCount(t.functions, functions.data?.length),
          content: (
            <div className={hostStyles.hosts}>
              <FunctionList app={app.key} />
              <HostList app={app.key} />
            </div>
          ),
        },
        ...(readsSchedules
          ? [
              {
                name: 'schedules',
                label: withCount(t.schedules, schedules.data?.length),
                content: <ScheduleList app={app.key} />,
              } as const,
            ]
          : []),
        ...(may('jobs:read')
          ? [
              {
                name: 'figures',
                label: t.figures,
                content: (
                  <Figures
                    app={app.key}
                    span={span}
                    onSpan={(next) =>
                      void navigate({ search: { tab: 'figures', span: next }, replace: true })
                    }
                  />
                ),
              } as const,
            ]
          : []),
        {
          name: 'deployments',
          label: t.deployments,
          content: <DeploymentList app={app} />,
        },
        { name: 'source', label: t.source, content: <SourcePanel app={app} /> },
      ]}
    />
  )
}

const withCount = (label: string, count: number | undefined): string =>
  count === undefined ? label : `${label} ${count}`
