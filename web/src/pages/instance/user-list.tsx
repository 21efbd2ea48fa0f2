/** All accounts, which are disabled and enabled for every workspace at once. */

import type { Schemas } from '#sdk/client.ts'
import { column, opens } from '../../kit/columns.tsx'
import { Details } from '../../kit/details.tsx'
import { ResourceList } from '../../kit/list.tsx'
import { useMessages } from '../../language/messages.ts'
import { useApi } from '../../session/api.ts'
import { useIdentity } from '../../session/session.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { StateBadge } from '../../ui/credential-badge.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

type User = Schemas['User']

export const UserList = () => {
  const t = useMessages(messages)
  const api = useApi()
  return (
    <>
      <div className={styles.top}>
        <span className="quiet">{t.newAccount}</span>
        <CommandLine command="svc user create me@example.com" />
      </div>
      <ResourceList<User>
        title={t.users}
        queryKey={['admin', 'users']}
        read={(page) => api.get('/api/admin/users', page)}
        keyOf={({ email }) => email}
        columns={useColumns()}
        empty={{ title: t.none, text: t.newAccount }}
        details={(user, close) => <UserDetails user={user} onClose={close} />}
      />
    </>
  )
}

const useColumns = (): readonly Column<User>[] => {
  const t = useMessages(messages)
  return [
    column(t.state, '7rem', ({ disabled }) => (
      <StateBadge state={disabled ? 'disabled' : 'active'} />
    )),
    opens(t.email, 'minmax(8rem, 2fr)', ({ email }) => ({ id: email, name: email })),
    column(t.superAdmin, '7rem', ({ super_admin }) => (super_admin ? t.yes : t.no)),
  ]
}

const UserDetails = ({ user, onClose }: Readonly<{ user: User; onClose: () => void }>) => {
  const t = useMessages(messages)
  const api = useApi()
  const own = useIdentity()
  const { email, disabled, super_admin, invited_by } = user
  const options = { params: { email } }
  const touches = [['admin', 'users']]
  return (
    <Details
      title={email}
      onClose={onClose}
      facts={[
        [t.state, <StateBadge key="state" state={disabled ? 'disabled' : 'active'} />],
        [t.superAdmin, super_admin ? t.yes : t.no],
        [t.invitedBy, invited_by],
      ]}
      actions={[
        {
          label: t.remove,
          isOffered: email !== own,
          confirm: { title: t.removeTitle(email), text: t.removeText },
          run: () => api.delete('/api/admin/users/{email}', options),
          touches,
          done: t.removed,
          failed: t.notRemoved,
        },
        {
          label: t.resetFactor,
          isOffered: email !== own,
          confirm: { title: t.resetFactorTitle(email), text: t.resetFactorText },
          run: () => api.delete('/api/admin/users/{email}/two-factor', options),
          touches,
          done: t.factorReset,
          failed: t.notChanged,
        },
        {
          label: disabled ? t.enable : t.disable,
          isOffered: email !== own,
          ...(disabled ? {} : { confirm: { title: t.disableTitle(email), text: t.disableText } }),
          run: () =>
            api.patch('/api/admin/users/{email}', { ...options, body: { disabled: !disabled } }),
          touches,
          failed: t.notChanged,
        },
      ]}
    />
  )
}
