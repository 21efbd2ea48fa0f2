/** The details of a token: its scopes as sentences, and an action to revoke it. */
import type { Schemas } from '#sdk/client.ts'
import { serverNow } from '../../browser/server-clock.ts'
import { Details } from '../../kit/details.tsx'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useMay } from '../../session/session.ts'
import { CredentialBadge, Expiry } from '../../ui/credential-badge.tsx'
import { credentialState } from '../../ui/credential-state.ts'
import { ShortTime } from '../../ui/time.tsx'
import { useScopes } from './issue-token.tsx'
import { messages } from './messages.ts'
import styles from './token-details.module.css'

type TokenDetailsProps = Readonly<{ token: Schemas['Token']; onClose: () => void }>

export const TokenDetails = ({ token, onClose }: TokenDetailsProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const may = useMay()
  const { id, label, email, created_by, revoked_at } = token
  return (
    <Details
      title={label}
      onClose={onClose}
      facts={[
        [t.state, <CredentialBadge key="state" of={token} />],
        [t.prefix, <code key="prefix">svc_{token.token_prefix}</code>],
        [t.owner, email],
        [t.expires, <Expiry key="expires" at={token.expires_at} />],
        [t.created, <ShortTime key="created" at={token.created_at} />],
        [t.createdBy, created_by === email ? null : created_by],
        [t.revokedAt, revoked_at === null ? null : <ShortTime key="revoked" at={revoked_at} />],
      ]}
      actions={[
        {
          label: t.revoke,
          look: 'danger',
          isOffered: may('tokens:write') && credentialState(token, serverNow()) === 'active',
          confirm: { title: t.revokeTitle(label), text: t.revokeText },
          run: () => api.delete('/tokens/{id}', { params: { id } }),
          touches: [[ws, 'tokens']],
          done: t.revoked,
          failed: t.notRevoked,
        },
      ]}
    >
      {token.admin ? <p>{t.asAdmin}</p> : null}
      <ScopeSentences scopes={token.scopes} />
    </Details>
  )
}

const ScopeSentences = ({ scopes }: Readonly<{ scopes: readonly string[] }>) => {
  const t = useMessages(messages)
  const { data: known = [] } = useScopes()
  return (
    <section>
      <h3>{t.scopes}</h3>
      {scopes.length === 0 ? <p>{t.nothing}</p> : null}
      <ul className={styles.scopes}>
        {scopes.map((scope) => (
          <li key={scope}>
            <code>{scope}</code>
            <span>{known.find((entry) => entry.scope === scope)?.description ?? ''}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
