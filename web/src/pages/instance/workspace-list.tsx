/** All workspaces, with actions to create, suspend and credit them. */

import type { Schemas } from '#sdk/client.ts'
import { column, day, opens, wide } from '../../kit/columns.tsx'
import { FormButton } from '../../kit/form-button.tsx'
import { ResourceList } from '../../kit/list.tsx'
import { useMessages } from '../../language/messages.ts'
import { useApi } from '../../session/api.ts'
import type { Column } from '../../ui/table/data-table.tsx'
import { MakeWorkspace } from './make-workspace.tsx'
import { messages } from './messages.ts'
import { WorkspaceDetails } from './workspace-details.tsx'
import { WorkspaceState } from './workspace-state.tsx'

type Workspace = Schemas['Workspace']

export const WorkspaceList = () => {
  const t = useMessages(messages)
  const api = useApi()
  return (
    <>
      <div>
        <FormButton label={t.newWorkspace} look="normal" need="instance">
          {(close) => <MakeWorkspace onClose={close} />}
        </FormButton>
      </div>
      <ResourceList<Workspace>
        title={t.workspaces}
        queryKey={['admin', 'workspaces']}
        read={(page) => api.get('/api/admin/workspaces', page)}
        keyOf={({ id }) => id}
        columns={useColumns()}
        empty={{ title: t.none, text: t.noneText }}
        details={(workspace, close) => <WorkspaceDetails workspace={workspace} onClose={close} />}
      />
    </>
  )
}

const useColumns = (): readonly Column<Workspace>[] => {
  const t = useMessages(messages)
  return [
    column(t.state, '7rem', ({ suspended }) => <WorkspaceState isSuspended={suspended} />),
    opens(t.id, 'minmax(8rem, 1fr)', ({ id }) => ({ id, name: id })),
    column(t.name, 'minmax(8rem, 2fr)', ({ name }) => name),
    wide(day(t.created, ({ created_at }) => created_at)),
  ]
}
