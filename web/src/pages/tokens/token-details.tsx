/** A token in full: what it may do, in sentences, and its end. */
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useMay } from '../../session/session.ts'
import { useChange } from '../../session/use-change.ts'
import { CredentialBadge, Expiry } from '../../ui/credential-badge.tsx'
import { credentialState } from '../../ui/credential-state.ts'
import { DetailsDialog } from '../../ui/details-dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
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
  const revoke = useChange({
    change: () => api.delete('/tokens/{id}', { params: { id: token.id } }),
    touches: [[ws, 'tokens']],
    done: t.revoked,
    failed: t.notRevoked,
    onDone: onClose,
  })
  const mayRevoke = may('tokens:write') && credentialState(token, Date.now()) === 'active'
  return (
    <DetailsDialog
      title={token.label}
      onClose={onClose}
      deed={{
        isOffered: mayRevoke,
        label: t.revoke,
        title: t.revokeTitle(token.label),
        text: t.revokeText,
        run: () => revoke.run(undefined),
        isBusy: revoke.isBusy,
      }}
    >
      <div className={styles.details}>
        <Facts
          facts={[
            [t.state, <CredentialBadge key="state" of={token} />],
            [t.prefix, <code key="prefix">svc_{token.token_prefix}</code>],
            [t.owner, token.email],
            [t.expires, <Expiry key="expires" at={token.expires_at} />],
            [t.created, <ShortTime key="created" at={token.created_at} />],
            [t.createdBy, token.created_by === token.email ? null : token.created_by],
            [
              t.revokedAt,
              token.revoked_at === null ? null : <ShortTime key="revoked" at={token.revoked_at} />,
            ],
          ]}
        />
        {token.admin ? <p>{t.asAdmin}</p> : null}
        <ScopeSentences scopes={token.scopes} />
      </div>
    </DetailsDialog>
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
