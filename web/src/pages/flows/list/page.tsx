/** All flows of the deployed apps. */

import type { Schemas } from '#sdk/client.ts'
import { LastRun } from '../../../flow/last-run.tsx'
import { messages as flowMessages } from '../../../flow/messages.ts'
import { StepCount } from '../../../flow/step-count.tsx'
import { column, ownLine, wide } from '../../../kit/columns.tsx'
import { ResourcePage } from '../../../kit/list.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { CommitId } from '../../../ui/commit-id.tsx'
import { type Column, RowLink } from '../../../ui/table/data-table.tsx'
import { TargetName } from '../../../ui/table/target-name.tsx'
import { messages } from './messages.ts'

type Flow = Schemas['Flow']
const keyOf = ({ app, key }: Flow): string => `${app}/${key}`

export const FlowsPage = () => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  return (
    <ResourcePage<Flow>
      title={t.flows}
      queryKey={[ws, 'flows']}
      read={(page) => api.get('/flows', page)}
      keyOf={keyOf}
      columns={useColumns()}
      empty={{
        title: t.none,
        text: t.noneText,
        command: 'svc init my-flows --template flow && cd my-flows && svc deploy',
      }}
    />
  )
}

const useColumns = (): readonly Column<Flow>[] => {
  const t = useMessages(messages)
  const { lastRun } = useMessages(flowMessages)
  const ws = useWorkspace()
  return [
    ownLine(
      column(t.flow, 'minmax(8rem, 2fr)', (flow) => (
        <RowLink
          to="/w/$ws/flows/$app/$flow"
          params={{ ws, app: flow.app, flow: flow.key }}
          aria-label={keyOf(flow)}
        >
          <TargetName app={flow.app} name={flow.key} />
        </RowLink>
      )),
    ),
    wide(column(t.steps, 'minmax(6rem, 1fr)', (flow) => <StepCount flow={flow} />)),
    column(lastRun, 'minmax(8rem, 18rem)', ({ app, key }) => <LastRun app={app} flow={key} />),
    wide(column(t.commit, '8rem', ({ commit }) => <CommitId commit={commit} />)),
  ]
}
