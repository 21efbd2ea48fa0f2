import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { age, code, column, opens, text, wide } from '../../kit/columns.tsx'
import { Details } from '../../kit/details.tsx'
import { FormButton } from '../../kit/form-button.tsx'
import { ResourcePage } from '../../kit/list.tsx'
import { useFormat } from '../../language/format.ts'
import { useMessages } from '../../language/messages.ts'
import { balanceQuery } from '../../live/queries.ts'
import { useApi } from '../../session/api.ts'
import { CredentialBadge } from '../../ui/credential-badge.tsx'
import { ShortTime } from '../../ui/time.tsx'
import { IssueApiKey, PARSE_COMMAND } from './issue-api-key.tsx'
import { messages } from './messages.ts'

const route = getRouteApi('/w/$ws/api-keys')

const EVERY_MS = 10_000

type ApiKey = Schemas['ApiKey']

export const ApiKeysPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const api = useApi()
  return (
    <ResourcePage<ApiKey>
      title={t.apiKeys}
      about={t.about}
      actions={
        <FormButton need="*" label={t.add}>
          {(close) => <IssueApiKey onClose={close} />}
        </FormButton>
      }
      queryKey={[ws, 'api-keys']}
      read={(page) => api.get('/api-keys', page)}
      keyOf={({ key_id }) => key_id}
      isLive={({ revoked_at }) => revoked_at === null}
      columns={[
        column(t.state, '6.5rem', (key) => <CredentialBadge of={key} />),
        opens(t.name, 'minmax(8rem, 2fr)', ({ key_id, name }) => ({ id: key_id, name })),
        wide(code(t.id, 'minmax(8rem, 1.5fr)', ({ key_id }) => key_id)),
        wide(text(t.createdBy, 'minmax(6rem, 1fr)', ({ created_by }) => created_by)),
        age(t.created, ({ created_at }) => created_at),
      ]}
      empty={{ title: t.none, text: t.noneText, command: PARSE_COMMAND }}
      details={(key, close) => <ApiKeyDetails shown={key} onClose={close} />}
    >
      <Balance />
    </ResourcePage>
  )
}

/** The balance that calls with the keys use. */
const Balance = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { number } = useFormat()
  const api = useApi()
  const { data } = useQuery({
    ...balanceQuery(api, ws),
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
      {suspended ? <p className="warning">{t.suspended}</p> : null}
      {isShort && !suspended ? <p className="warning">{t.empty}</p> : null}
    </>
  )
}

const ApiKeyDetails = ({ shown, onClose }: Readonly<{ shown: ApiKey; onClose: () => void }>) => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const api = useApi()
  const { key_id, name, revoked_at } = shown
  return (
    <Details
      title={name}
      onClose={onClose}
      facts={[
        [t.state, <CredentialBadge key="state" of={shown} />],
        [t.id, <code key="id">{key_id}</code>],
        [t.createdBy, shown.created_by],
        [t.created, <ShortTime key="created" at={shown.created_at} />],
        [t.revokedAt, revoked_at === null ? null : <ShortTime key="revoked" at={revoked_at} />],
      ]}
      actions={[
        {
          label: t.revoke,
          look: 'danger',
          isOffered: revoked_at === null,
          confirm: { title: t.revokeTitle(name), text: t.revokeText },
          run: () => api.delete('/api-keys/{key_id}', { params: { key_id } }),
          touches: [[ws, 'api-keys']],
          done: t.revoked,
          failed: t.notRevoked,
        },
      ]}
    />
  )
}
