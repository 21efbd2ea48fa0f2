/** The keys of a customer. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { serverNow } from '../../../browser/server-clock.ts'
import { age, atEnd, column, opens, wide } from '../../../kit/columns.tsx'
import { Loaded } from '../../../kit/detail-page.tsx'
import { Details } from '../../../kit/details.tsx'
import { FormButton } from '../../../kit/form-button.tsx'
import { OpenRow } from '../../../kit/open-row.tsx'
import { useMessages } from '../../../language/messages.ts'
import { lessOften } from '../../../live/read-interval.ts'
import { useApi } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { CredentialBadge, Expiry } from '../../../ui/credential-badge.tsx'
import { credentialState } from '../../../ui/credential-state.ts'
import { EmptyState } from '../../../ui/notice.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { ShortTime } from '../../../ui/time.tsx'
import { IssueKey } from './issue-key.tsx'
import { messages } from './messages.ts'

const route = getRouteApi('/w/$ws/customers/$id')

const EVERY_MS = 10_000
const PAGE_ROWS = 100

const first = (): string | undefined => undefined

type Key = Schemas['ConsumerKey']

const keyOf = ({ id }: Key): string => id

export const Keys = ({ customer }: Readonly<{ customer: Schemas['Consumer'] }>) => {
  const t = useMessages(messages)
  const { ws, id } = route.useParams()
  const api = useApi()
  const pages = useInfiniteQuery({
    queryKey: [ws, 'consumers', id, 'keys'],
    queryFn: ({ pageParam, signal }) =>
      api.get('/consumers/{id}/keys', {
        params: { id },
        query: { cursor: pageParam, limit: PAGE_ROWS },
        signal,
      }),
    initialPageParam: first(),
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    refetchInterval: lessOften(EVERY_MS),
  })
  const query = { ...pages, data: pages.data?.pages.flatMap(({ items }) => items) }
  const columns: readonly Column<Key>[] = [
    column(t.state, '6.5rem', (key) => <CredentialBadge of={key} />),
    opens(t.name, 'minmax(8rem, 2fr)', (key) => ({ id: key.id, name: key.label })),
    wide(column(t.prefix, '9rem', ({ key_prefix }) => <code>svck_{key_prefix}</code>)),
    atEnd(column(t.expires, '9rem', ({ expires_at }) => <Expiry at={expires_at} />)),
    wide(age(t.created, ({ created_at }) => created_at)),
  ]
  const issue = (
    <FormButton need="consumers:write" label={t.newKey} look="normal">
      {(close) => <IssueKey customer={customer} onClose={close} />}
    </FormButton>
  )
  return (
    <Loaded query={query}>
      {(items) => (
        <div className="stack-3">
          {/* always here: the dialog that shows a new key must outlive the first refresh of an empty list */}
          <div>{issue}</div>
          {items.length === 0 ? (
            <EmptyState title={t.noKeys} text={t.noKeysText} />
          ) : (
            <DataTable label={t.keys} columns={columns} rows={items} keyOf={keyOf} />
          )}
          {query.hasNextPage ? (
            <div>
              <Button
                disabled={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                {t.more}
              </Button>
            </div>
          ) : null}
          <OpenRow
            rows={items}
            keyOf={keyOf}
            details={(key, close) => <KeyDetails shown={key} onClose={close} />}
          />
        </div>
      )}
    </Loaded>
  )
}

const KeyDetails = ({ shown, onClose }: Readonly<{ shown: Key; onClose: () => void }>) => {
  const t = useMessages(messages)
  const { ws, id } = route.useParams()
  const api = useApi()
  const may = useMay()
  const { label, revoked_at } = shown
  return (
    <Details
      title={label}
      onClose={onClose}
      facts={[
        [t.state, <CredentialBadge key="state" of={shown} />],
        [t.prefix, <code key="prefix">svck_{shown.key_prefix}</code>],
        [t.expires, <Expiry key="expires" at={shown.expires_at} />],
        [t.created, <ShortTime key="created" at={shown.created_at} />],
        [t.createdBy, shown.created_by],
        [t.revokedAt, revoked_at === null ? null : <ShortTime key="revoked" at={revoked_at} />],
      ]}
      actions={[
        {
          label: t.revoke,
          look: 'danger',
          isOffered: may('consumers:write') && credentialState(shown, serverNow()) === 'active',
          confirm: { title: t.revokeTitle(label), text: t.revokeText },
          run: () =>
            api.delete('/consumers/{id}/keys/{key_id}', { params: { id, key_id: shown.id } }),
          touches: [[ws, 'consumers', id, 'keys']],
          done: t.revoked,
          failed: t.notRevoked,
        },
      ]}
    />
  )
}
