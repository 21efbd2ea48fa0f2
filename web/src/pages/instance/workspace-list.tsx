/** All workspaces: made, suspended, given credit. */
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { FormButton } from '../../app/form-button.tsx'
import { useMessages } from '../../language/messages.ts'
import { LiveTable } from '../../live/live-table.tsx'
import { useLiveList } from '../../live/use-live-list.ts'
import { useApi } from '../../session/api.ts'
import { type Column, RowLink } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { ShortTime } from '../../ui/time.tsx'
import { MakeWorkspace } from './make-workspace.tsx'
import { messages } from './messages.ts'
import { WorkspaceDetails } from './workspace-details.tsx'
import { WorkspaceState } from './workspace-state.tsx'

const route = getRouteApi('/w/$ws/instance')

const PAGE_ROWS = 200
const EVERY_MS = 10_000

type Workspace = Schemas['Workspace']

const keyOf = ({ id }: Workspace): string => id

export const WorkspaceList = () => {
  const t = useMessages(messages)
  const { open } = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const columns = useColumns()
  const list = useLiveList<Workspace>({
    queryKey: ['admin', 'workspaces'],
    read: (cursor, signal) =>
      api.get('/api/admin/workspaces', { query: { cursor, limit: PAGE_ROWS }, signal }),
    keyOf,
    everyMs: EVERY_MS,
  })
  const shown = list.rows.find(({ id }) => id === open)
  return (
    <>
      <div>
        <FormButton label={t.newWorkspace} look="normal">
          {(close) => <MakeWorkspace onClose={close} />}
        </FormButton>
      </div>
      <LiveTable
        label={t.workspaces}
        columns={columns}
        list={list}
        keyOf={keyOf}
        empty={<EmptyState title={t.none} text={t.noneText} />}
      />
      {shown === undefined ? null : (
        <WorkspaceDetails
          key={shown.id}
          workspace={shown}
          onClose={() => void navigate({ search: {}, replace: true })}
        />
      )}
    </>
  )
}

const useColumns = (): readonly Column<Workspace>[] => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  return [
    {
      key: 'state',
      header: t.state,
      width: '7rem',
      cell: ({ suspended }) => <WorkspaceState isSuspended={suspended} />,
    },
    {
      key: 'id',
      header: t.id,
      width: 'minmax(8rem, 1fr)',
      cell: ({ id }) => (
        <RowLink to="/w/$ws/instance" params={{ ws }} search={{ open: id }} replace>
          {id}
        </RowLink>
      ),
    },
    { key: 'name', header: t.name, width: 'minmax(8rem, 2fr)', cell: ({ name }) => name },
    {
      key: 'created',
      header: t.created,
      width: '9rem',
      isEnd: true,
      isWideOnly: true,
      cell: ({ created_at }) => <ShortTime at={created_at} />,
    },
  ]
}
