import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { FormButton } from '../../app/form-button.tsx'
import { useMessages } from '../../language/messages.ts'
import { LiveTable } from '../../live/live-table.tsx'
import { useLiveList } from '../../live/use-live-list.ts'
import { useApi } from '../../session/api.ts'
import { useMay } from '../../session/session.ts'
import { StateBadge } from '../../ui/credential-badge.tsx'
import { type Column, RowLink } from '../../ui/data-table.tsx'
import { FewNames } from '../../ui/few-names.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { AddCustomer } from './add-customer.tsx'
import { messages } from './messages.ts'

const route = getRouteApi('/w/$ws/customers')

const PAGE_ROWS = 100
const EVERY_MS = 10_000

type Customer = Schemas['Consumer']

const keyOf = ({ id }: Customer): string => id

export const CustomersPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const api = useApi()
  const may = useMay()
  const columns = useColumns()
  const list = useLiveList<Customer>({
    queryKey: [ws, 'consumers', 'list'],
    read: (cursor, signal) =>
      api.get('/consumers', { query: { cursor, limit: PAGE_ROWS }, signal }),
    keyOf,
    everyMs: EVERY_MS,
  })
  const mayAdd = may('consumers:write')
  return (
    <Page
      title={t.title}
      about={t.about}
      isFilled
      actions={
        mayAdd ? (
          <FormButton label={t.add}>{(close) => <AddCustomer onClose={close} />}</FormButton>
        ) : null
      }
    >
      <LiveTable
        label={t.title}
        columns={columns}
        list={list}
        keyOf={keyOf}
        empty={
          <EmptyState
            title={t.none}
            text={t.noneText}
            command={`curl ${location.origin}/api/w/${ws}/jobs/run/hello/greet -H "authorization: Bearer $KEY" -H 'content-type: application/json' -d '{"name":"Ada"}'`}
          />
        }
      />
    </Page>
  )
}

const useColumns = (): readonly Column<Customer>[] => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  return [
    {
      key: 'state',
      header: t.state,
      width: '6.5rem',
      cell: ({ disabled }) => <StateBadge state={disabled ? 'disabled' : 'active'} />,
    },
    {
      key: 'name',
      header: t.name,
      width: 'minmax(8rem, 2fr)',
      cell: ({ id, name }) => (
        <RowLink to="/w/$ws/customers/$id" params={{ ws, id }}>
          {name}
        </RowLink>
      ),
    },
    {
      key: 'ref',
      header: t.externalRef,
      width: 'minmax(6rem, 1fr)',
      isWideOnly: true,
      cell: ({ external_ref }) => external_ref ?? '–',
    },
    {
      key: 'grants',
      header: t.allowedActions,
      width: 'minmax(8rem, 2fr)',
      cell: ({ grants }) => <Grants names={grants.map(({ app, action }) => `${app}/${action}`)} />,
    },
    {
      key: 'created',
      header: t.created,
      width: '6.5rem',
      isEnd: true,
      isWideOnly: true,
      cell: ({ created_at }) => <TimeAgo at={created_at} />,
    },
  ]
}

const Grants = ({ names }: Readonly<{ names: readonly string[] }>) => {
  const t = useMessages(messages)
  if (names.length === 0) return t.nothing
  return <FewNames names={names} />
}
