import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { FormButton } from '../../app/form-button.tsx'
import { useMessages } from '../../language/messages.ts'
import { LiveTable } from '../../live/live-table.tsx'
import { useLiveList } from '../../live/use-live-list.ts'
import { useApi } from '../../session/api.ts'
import { useMay } from '../../session/session.ts'
import { CredentialBadge, Expiry } from '../../ui/credential-badge.tsx'
import { type Column, RowLink } from '../../ui/data-table.tsx'
import { FewNames } from '../../ui/few-names.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { IssueToken } from './issue-token.tsx'
import { messages } from './messages.ts'
import { TokenDetails } from './token-details.tsx'

const route = getRouteApi('/w/$ws/tokens')

const PAGE_ROWS = 100
const EVERY_MS = 10_000

const keyOf = ({ id }: Schemas['Token']): string => id

export const TokensPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { open } = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const may = useMay()
  const columns = useColumns()
  const list = useLiveList<Schemas['Token']>({
    queryKey: [ws, 'tokens'],
    read: (cursor, signal) => api.get('/tokens', { query: { cursor, limit: PAGE_ROWS }, signal }),
    keyOf,
    everyMs: EVERY_MS,
  })
  const mayIssue = may('tokens:write')
  const shown = list.rows.find(({ id }) => id === open)
  return (
    <Page
      title={t.title}
      about={t.about}
      isFilled
      actions={
        mayIssue ? (
          <FormButton label={t.issue}>{(close) => <IssueToken onClose={close} />}</FormButton>
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
            command={`svc create-token ${ws} me@example.com --scope jobs:run`}
          />
        }
      />
      {shown === undefined ? null : (
        <TokenDetails token={shown} onClose={() => void navigate({ search: {}, replace: true })} />
      )}
    </Page>
  )
}

const useColumns = (): readonly Column<Schemas['Token']>[] => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  return [
    {
      key: 'state',
      header: t.state,
      width: '6.5rem',
      cell: (token) => <CredentialBadge of={token} />,
    },
    {
      key: 'name',
      header: t.name,
      width: 'minmax(8rem, 2fr)',
      cell: ({ id, label }) => (
        <RowLink to="/w/$ws/tokens" params={{ ws }} search={{ open: id }} replace>
          {label}
        </RowLink>
      ),
    },
    {
      key: 'prefix',
      header: t.prefix,
      width: '8.5rem',
      isWideOnly: true,
      cell: ({ token_prefix }) => <code>svc_{token_prefix}</code>,
    },
    {
      key: 'scopes',
      header: t.scopes,
      width: 'minmax(8rem, 2fr)',
      isWideOnly: true,
      cell: ({ scopes }) => <Scopes scopes={scopes} />,
    },
    {
      key: 'owner',
      header: t.owner,
      width: 'minmax(6rem, 1fr)',
      isWideOnly: true,
      cell: ({ email }) => <span title={email}>{email}</span>,
    },
    {
      key: 'expires',
      header: t.expires,
      width: '9rem',
      isEnd: true,
      cell: ({ expires_at }) => <Expiry at={expires_at} />,
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

const Scopes = ({ scopes }: Readonly<{ scopes: readonly string[] }>) => {
  const t = useMessages(messages)
  if (scopes.includes('*')) return t.everything
  if (scopes.length === 0) return t.nothing
  return <FewNames names={scopes} />
}
