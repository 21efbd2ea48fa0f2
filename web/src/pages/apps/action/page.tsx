import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import type { Json } from '#sdk/mod.ts'
import { Figures } from '../../../figures/figures.tsx'
import { Loaded } from '../../../kit/detail-page.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { JsonView } from '../../../ui/code/json-view.tsx'
import { Card } from '../../../ui/facts.tsx'
import { EmptyState } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { type TabItem, Tabs } from '../../../ui/tabs.tsx'
import { AppTrail } from '../app-trail.tsx'
import { DeployedCode } from '../deployed-code.tsx'
import { watchedActionsQuery } from '../queries.ts'
import { ActionFacts } from './action-facts-card.tsx'
import { ActionRuns } from './action-runs.tsx'
import { CallGuide } from './call-guide.tsx'
import { messages } from './messages.ts'
import { RunForm } from './run-form.tsx'
import type { ActionTab } from './search.ts'

const route = getRouteApi('/w/$ws/apps/$app/actions/$action')

export const ActionPage = () => {
  const t = useMessages(messages)
  const { ws, app, action: key } = route.useParams()
  const api = useApi()
  const query = useQuery(watchedActionsQuery(api, ws, app))
  const action = query.data?.find((each) => each.key === key)
  return (
    <Page title={key} trail={<AppTrail ws={ws} app={app} />}>
      {action !== undefined ? (
        <ActionParts key={`${app}/${key}`} action={action} />
      ) : (
        <Loaded query={query}>{() => <EmptyState title={t.missing} text={t.missingText} />}</Loaded>
      )}
    </Page>
  )
}

const ActionParts = ({ action }: Readonly<{ action: Schemas['Action'] }>) => {
  const t = useMessages(messages)
  const { app } = route.useParams()
  const { tab, span, ...place } = route.useSearch()
  const navigate = route.useNavigate()
  const may = useMay()
  const first: ActionTab = may('jobs:run') ? 'run' : 'runs'
  const items: readonly TabItem<ActionTab>[] = [
    ...(may('jobs:run')
      ? [{ name: 'run', label: t.run, content: <RunForm app={app} action={action} /> } as const]
      : []),
    ...(may('jobs:read')
      ? [
          {
            name: 'runs',
            label: t.runs,
            content: <ActionRuns app={app} action={action.key} />,
          } as const,
          {
            name: 'figures',
            label: t.figures,
            content: (
              <Figures
                app={app}
                action={action.key}
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
      name: 'code',
      label: t.code,
      content: (
        <DeployedCode
          app={app}
          first={action.entrypoint}
          place={place}
          onPlace={(next) => void navigate({ search: { tab: 'code', ...next }, replace: true })}
        />
      ),
    },
    { name: 'call', label: t.call, content: <CallGuide app={app} action={action} /> },
    { name: 'schema', label: t.schema, content: <Schema schema={action.input_schema} /> },
  ]
  return (
    <div className="columns">
      <Tabs
        label={t.parts}
        open={items.find(({ name }) => name === tab)?.name ?? first}
        onOpen={(name) => void navigate({ search: { tab: name }, replace: true })}
        items={items}
      />
      <aside>
        <Card title={t.facts}>
          <ActionFacts app={app} action={action} />
        </Card>
      </aside>
    </div>
  )
}

const Schema = ({ schema }: Readonly<{ schema: unknown }>) => {
  const t = useMessages(messages)
  if (schema === null || schema === undefined) {
    return <EmptyState title={t.noSchemaTitle} text={t.noSchemaText} />
  }
  // the schema came as JSON
  const value: Json = JSON.parse(JSON.stringify(schema))
  return <JsonView value={value} />
}
