import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { FormButton } from '../../app/form-button.tsx'
import { useFormat } from '../../language/format.ts'
import { useMessages } from '../../language/messages.ts'
import { LiveTable } from '../../live/live-table.tsx'
import { useLiveList } from '../../live/use-live-list.ts'
import { useApi } from '../../session/api.ts'
import { useMay } from '../../session/session.ts'
import { useChange } from '../../session/use-change.ts'
import { CredentialBadge } from '../../ui/credential-badge.tsx'
import { type Column, RowLink } from '../../ui/data-table.tsx'
import { DetailsDialog } from '../../ui/details-dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ShortTime, TimeAgo } from '../../ui/time.tsx'
import { IssueApiKey } from './issue-api-key.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

const route = getRouteApi('/w/$ws/api-keys')

const PAGE_ROWS = 100
const EVERY_MS = 10_000

type ApiKey = Schemas['ApiKey']

const keyOf = ({ key_id }: ApiKey): string => key_id

export const ApiKeysPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { open } = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const columns = useColumns()
  const list = useLiveList<ApiKey>({
    queryKey: [ws, 'api-keys'],
    read: (cursor, signal) => api.get('/api-keys', { query: { cursor, limit: PAGE_ROWS }, signal }),
    keyOf,
    everyMs: EVERY_MS,
  })
  const mayIssue = useMay()('*')
  const shown = list.rows.find(({ key_id }) => key_id === open)
  return (
    <Page
      title={t.title}
      about={t.about}
      isFilled
      actions={
        mayIssue ? (
          <FormButton label={t.add}>{(close) => <IssueApiKey onClose={close} />}</FormButton>
        ) : null
      }
    >
      <Balance />
      <LiveTable
        label={t.title}
        columns={columns}
        list={list}
        keyOf={keyOf}
        empty={
          <EmptyState
            title={t.none}
            text={t.noneText}
            command={`curl ${location.origin}/document-parser/registry -H "authorization: Bearer $SVC_API_KEY" -F file=@certificate.pdf`}
          />
        }
      />
      {shown === undefined ? null : (
        <ApiKeyDetails shown={shown} onClose={() => void navigate({ search: {}, replace: true })} />
      )}
    </Page>
  )
}

/** What the keys call with. */
const Balance = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { number } = useFormat()
  const api = useApi()
  const { data } = useQuery({
    queryKey: [ws, 'billing', 'balance'],
    queryFn: ({ signal }) => api.get('/billing', { query: { limit: 1 }, signal }),
    refetchInterval: EVERY_MS,
  })
  if (data === undefined) return null
  const { balance_won, suspended, prices } = data
  const isShort = prices.prepaid && balance_won < prices.registry_won
  return (
    <>
      <p>
        {t.balance}{' '}
        <Link to="/w/$ws/billing" params={{ ws }}>
          ₩{number(balance_won)}
        </Link>
      </p>
      {suspended ? <p className={styles.warn}>{t.suspended}</p> : null}
      {isShort && !suspended ? <p className={styles.warn}>{t.empty}</p> : null}
    </>
  )
}

const useColumns = (): readonly Column<ApiKey>[] => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  return [
    {
      key: 'state',
      header: t.state,
      width: '6.5rem',
      cell: (key) => <CredentialBadge of={key} />,
    },
    {
      key: 'name',
      header: t.name,
      width: 'minmax(8rem, 2fr)',
      cell: ({ key_id, name }) => (
        <RowLink to="/w/$ws/api-keys" params={{ ws }} search={{ open: key_id }} replace>
          {name}
        </RowLink>
      ),
    },
    {
      key: 'id',
      header: t.id,
      width: 'minmax(8rem, 1.5fr)',
      isWideOnly: true,
      cell: ({ key_id }) => <code title={key_id}>{key_id}</code>,
    },
    {
      key: 'by',
      header: t.createdBy,
      width: 'minmax(6rem, 1fr)',
      isWideOnly: true,
      cell: ({ created_by }) => <span title={created_by}>{created_by}</span>,
    },
    {
      key: 'created',
      header: t.created,
      width: '6.5rem',
      isEnd: true,
      cell: ({ created_at }) => <TimeAgo at={created_at} />,
    },
  ]
}

const ApiKeyDetails = ({ shown, onClose }: Readonly<{ shown: ApiKey; onClose: () => void }>) => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const api = useApi()
  const revoke = useChange({
    change: () => api.delete('/api-keys/{key_id}', { params: { key_id: shown.key_id } }),
    touches: [[ws, 'api-keys']],
    done: t.revoked,
    failed: t.notRevoked,
    onDone: onClose,
  })
  return (
    <DetailsDialog
      title={shown.name}
      onClose={onClose}
      deed={{
        isOffered: shown.revoked_at === null,
        label: t.revoke,
        title: t.revokeTitle(shown.name),
        text: t.revokeText,
        run: () => revoke.run(undefined),
        isBusy: revoke.isBusy,
      }}
    >
      <Facts
        facts={[
          [t.state, <CredentialBadge key="state" of={shown} />],
          [t.id, <code key="id">{shown.key_id}</code>],
          [t.createdBy, shown.created_by],
          [t.created, <ShortTime key="created" at={shown.created_at} />],
          [
            t.revokedAt,
            shown.revoked_at === null ? null : <ShortTime key="revoked" at={shown.revoked_at} />,
          ],
        ]}
      />
    </DetailsDialog>
  )
}
