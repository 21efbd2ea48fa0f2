import type { Schemas } from '#sdk/client.ts'
import { serverNow } from '../../browser/server-clock.ts'
import { age, atEnd, column, opens, text, wide } from '../../kit/columns.tsx'
import { FormButton } from '../../kit/form-button.tsx'
import { ResourcePage } from '../../kit/list.tsx'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { CredentialBadge, Expiry } from '../../ui/credential-badge.tsx'
import { credentialState } from '../../ui/credential-state.ts'
import { FewNames } from '../../ui/table/few-names.tsx'
import { IssueToken } from './issue-token.tsx'
import { messages } from './messages.ts'
import { TokenDetails } from './token-details.tsx'

export const TokensPage = () => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  return (
    <ResourcePage<Schemas['Token']>
      title={t.tokens}
      about={t.about}
      actions={
        <FormButton need="tokens:write" label={t.issue}>
          {(close) => <IssueToken onClose={close} />}
        </FormButton>
      }
      queryKey={[ws, 'tokens']}
      read={(page) => api.get('/tokens', page)}
      keyOf={({ id }) => id}
      isLive={(token) => credentialState(token, serverNow()) === 'active'}
      columns={[
        column(t.state, '6.5rem', (token) => <CredentialBadge of={token} />),
        opens(t.name, 'minmax(8rem, 2fr)', ({ id, label }) => ({ id, name: label })),
        wide(column(t.prefix, '8.5rem', (token) => <code>svc_{token.token_prefix}</code>)),
        wide(column(t.scopes, 'minmax(8rem, 2fr)', (token) => <Scopes scopes={token.scopes} />)),
        wide(text(t.owner, 'minmax(6rem, 1fr)', ({ email }) => email)),
        atEnd(column(t.expires, '9rem', (token) => <Expiry at={token.expires_at} />)),
        wide(age(t.created, ({ created_at }) => created_at)),
      ]}
      empty={{
        title: t.none,
        text: t.noneText,
        command: `svc create-token ${ws} me@example.com --scope jobs:run`,
      }}
      details={(token, close) => <TokenDetails token={token} onClose={close} />}
    />
  )
}

const Scopes = ({ scopes }: Readonly<{ scopes: readonly string[] }>) => {
  const t = useMessages(messages)
  if (scopes.includes('*')) return t.everything
  if (scopes.length === 0) return t.nothing
  return <FewNames names={scopes} />
}
