/** The flows of the deployed version, with the last run of each. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { LastRun } from '../../../flow/last-run.tsx'
import { messages as flowMessages } from '../../../flow/messages.ts'
import { StepCount } from '../../../flow/step-count.tsx'
import { Loaded } from '../../../kit/detail-page.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { EmptyState } from '../../../ui/notice.tsx'
import { PlainTable } from '../../../ui/table/plain-table.tsx'
import { flowsQuery } from '../queries.ts'
import { messages } from './messages.ts'

export const FlowList = ({ app }: Readonly<{ app: string }>) => {
  const t = useMessages(messages)
  const { lastRun } = useMessages(flowMessages)
  const ws = useWorkspace()
  const query = useQuery(flowsQuery(useApi(), ws, app))
  return (
    <Loaded query={query}>
      {(flows) =>
        flows.length === 0 ? (
          <EmptyState
            title={t.noFlows}
            text={t.noFlowsText}
            command="svc init my-flows --template flow"
          />
        ) : (
          <PlainTable<Schemas['Flow']>
            rows={flows}
            keyOf={({ key }) => key}
            columns={[
              {
                header: t.flow,
                cell: ({ key: flow }) => (
                  <Link to="/w/$ws/flows/$app/$flow" params={{ ws, app, flow }}>
                    {flow}
                  </Link>
                ),
              },
              { header: t.steps, isWideOnly: true, cell: (flow) => <StepCount flow={flow} /> },
              { header: lastRun, cell: ({ key }) => <LastRun app={app} flow={key} /> },
            ]}
          />
        )
      }
    </Loaded>
  )
}
