/** The keys of a customer. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi } from '../../session/api.ts'
import { useMay } from '../../session/session.ts'
import { useChange } from '../../session/use-change.ts'
import { Button } from '../../ui/button.tsx'
import { CredentialBadge, Expiry } from '../../ui/credential-badge.tsx'
import { credentialState } from '../../ui/credential-state.ts'
import { type Column, DataTable, RowLink } from '../../ui/data-table.tsx'
import { DetailsDialog } from '../../ui/details-dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/notice.tsx'
import { ShortTime, TimeAgo } from '../../ui/time.tsx'
import { IssueKey } from './issue-key.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

const route = getRouteApi('/w/$ws/customers/$id')

const EVERY_MS = 10_000

type Key = Schemas['ConsumerKey']

const keyOf = ({ id }: Key): string => id

export const Keys = ({ customer }: Readonly<{ customer: Schemas['Consumer'] }>) => {
  const t = useMessages(messages)
  const { ws, id } = route.useParams()
  const { open } = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const may = useMay()
  const [isIssuing, setIssuing] = useState(false)
  const columns = useColumns()
  const { data, error, refetch } = useQuery({
    queryKey: [ws, 'consumers', id, 'keys'],
    queryFn: ({ signal }) => api.get('/consumers/{id}/keys', { params: { id }, signal }),
    refetchInterval: EVERY_MS,
  })
  if (data === undefined) {
    return error === null ? (
      <Loading />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    )
  }
  const shown = data.items.find((key) => key.id === open)
  const issueButton = may('consumers:write') ? (
    <Button onClick={() => setIssuing(true)}>
      <Plus size={15} aria-hidden="true" />
      {t.newKey}
    </Button>
  ) : null
  return (
    <div className={styles.keys}>
      {data.items.length === 0 ? (
        <EmptyState title={t.noKeys} text={t.noKeysText}>
          {issueButton}
        </EmptyState>
      ) : (
        <>
          <div>{issueButton}</div>
          <DataTable label={t.keys} columns={columns} rows={data.items} keyOf={keyOf} />
        </>
      )}
      {isIssuing ? <IssueKey customer={customer} onClose={() => setIssuing(false)} /> : null}
      {shown === undefined ? null : (
        <KeyDetails
          shown={shown}
          onClose={() => void navigate({ search: { tab: 'keys' }, replace: true })}
        />
      )}
    </div>
  )
}

const useColumns = (): readonly Column<Key>[] => {
  const t = useMessages(messages)
  const { ws, id: customer } = route.useParams()
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
      cell: ({ id, label }) => (
        <RowLink
          to="/w/$ws/customers/$id"
          params={{ ws, id: customer }}
          search={{ tab: 'keys', open: id }}
          replace
        >
          {label}
        </RowLink>
      ),
    },
    {
      key: 'prefix',
      header: t.prefix,
      width: '9rem',
      isWideOnly: true,
      cell: ({ key_prefix }) => <code>svck_{key_prefix}</code>,
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

const KeyDetails = ({ shown, onClose }: Readonly<{ shown: Key; onClose: () => void }>) => {
  const t = useMessages(messages)
  const { ws, id } = route.useParams()
  const api = useApi()
  const may = useMay()
  const revoke = useChange({
    change: () => api.delete('/consumers/{id}/keys/{key_id}', { params: { id, key_id: shown.id } }),
    touches: [[ws, 'consumers', id, 'keys']],
    done: t.revoked,
    failed: t.notRevoked,
    onDone: onClose,
  })
  const mayRevoke = may('consumers:write') && credentialState(shown, Date.now()) === 'active'
  return (
    <DetailsDialog
      title={shown.label}
      onClose={onClose}
      deed={{
        isOffered: mayRevoke,
        label: t.revoke,
        title: t.revokeTitle(shown.label),
        text: t.revokeText,
        run: () => revoke.run(undefined),
        isBusy: revoke.isBusy,
      }}
    >
      <Facts
        facts={[
          [t.state, <CredentialBadge key="state" of={shown} />],
          [t.prefix, <code key="prefix">svck_{shown.key_prefix}</code>],
          [t.expires, <Expiry key="expires" at={shown.expires_at} />],
          [t.created, <ShortTime key="created" at={shown.created_at} />],
          [t.createdBy, shown.created_by],
          [
            t.revokedAt,
            shown.revoked_at === null ? null : <ShortTime key="revoked" at={shown.revoked_at} />,
          ],
        ]}
      />
    </DetailsDialog>
  )
}
