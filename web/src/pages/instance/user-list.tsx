/** All accounts, disabled and enabled for every workspace at once. */
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../language/messages.ts'
import { LiveTable } from '../../live/live-table.tsx'
import { useLiveList } from '../../live/use-live-list.ts'
import { useApi } from '../../session/api.ts'
import { useIdentity } from '../../session/session.ts'
import { useChange } from '../../session/use-change.ts'
import { Button } from '../../ui/button.tsx'
import { CommandLine } from '../../ui/command-line.tsx'
import { StateBadge } from '../../ui/credential-badge.tsx'
import { type Column, RowLink } from '../../ui/data-table.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

const route = getRouteApi('/w/$ws/instance')

const PAGE_ROWS = 200
const EVERY_MS = 10_000

type User = Schemas['User']

const keyOf = ({ email }: User): string => email

export const UserList = () => {
  const t = useMessages(messages)
  const { open } = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const columns = useColumns()
  const list = useLiveList<User>({
    queryKey: ['admin', 'users'],
    read: (cursor, signal) =>
      api.get('/api/admin/users', { query: { cursor, limit: PAGE_ROWS }, signal }),
    keyOf,
    everyMs: EVERY_MS,
  })
  const shown = list.rows.find(({ email }) => email === open)
  return (
    <>
      <div className={styles.top}>
        <span className={styles.hint}>{t.newAccount}</span>
        <CommandLine command="svc user create me@example.com" />
      </div>
      <LiveTable
        label={t.users}
        columns={columns}
        list={list}
        keyOf={keyOf}
        empty={<EmptyState title={t.none} text={t.newAccount} />}
      />
      {shown === undefined ? null : (
        <UserDetails
          user={shown}
          onClose={() => void navigate({ search: { tab: 'users' }, replace: true })}
        />
      )}
    </>
  )
}

const useColumns = (): readonly Column<User>[] => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  return [
    {
      key: 'state',
      header: t.state,
      width: '7rem',
      cell: ({ disabled }) => <StateBadge state={disabled ? 'disabled' : 'active'} />,
    },
    {
      key: 'email',
      header: t.email,
      width: 'minmax(8rem, 2fr)',
      cell: ({ email }) => (
        <RowLink
          to="/w/$ws/instance"
          params={{ ws }}
          search={{ tab: 'users', open: email }}
          replace
        >
          {email}
        </RowLink>
      ),
    },
    {
      key: 'super',
      header: t.superAdmin,
      width: '7rem',
      cell: ({ super_admin }) => (super_admin ? t.yes : t.no),
    },
  ]
}

type Asked = 'disable' | 'remove' | null

const UserDetails = ({ user, onClose }: Readonly<{ user: User; onClose: () => void }>) => {
  const t = useMessages(messages)
  const api = useApi()
  const own = useIdentity()
  const [asked, setAsked] = useState<Asked>(null)
  const { email, disabled, super_admin, invited_by } = user
  const change = useChange({
    change: (isDisabled: boolean) =>
      api.patch('/api/admin/users/{email}', { params: { email }, body: { disabled: isDisabled } }),
    touches: [['admin', 'users']],
    failed: t.notChanged,
    onDone: onClose,
  })
  const remove = useChange({
    change: () => api.delete('/api/admin/users/{email}', { params: { email } }),
    touches: [['admin', 'users']],
    done: t.removed,
    failed: t.notRemoved,
    onDone: onClose,
  })
  if (asked !== null) {
    const isRemoval = asked === 'remove'
    return (
      <ConfirmDialog
        isOpen
        onClose={() => setAsked(null)}
        title={isRemoval ? t.removeTitle(email) : t.disableTitle(email)}
        text={isRemoval ? t.removeText : t.disableText}
        confirm={isRemoval ? t.remove : t.disable}
        onConfirm={() => (isRemoval ? remove.run(undefined) : change.run(true))}
        isBusy={change.isBusy || remove.isBusy}
      />
    )
  }
  const foot = (
    <>
      <Button onClick={() => setAsked('remove')}>{t.remove}</Button>
      <Button
        disabled={change.isBusy}
        onClick={() => (disabled ? change.run(false) : setAsked('disable'))}
      >
        {disabled ? t.enable : t.disable}
      </Button>
    </>
  )
  return (
    <Dialog isOpen onClose={onClose} title={email} {...(email === own ? {} : { foot })}>
      <Facts
        facts={[
          [t.state, <StateBadge key="state" state={disabled ? 'disabled' : 'active'} />],
          [t.superAdmin, super_admin ? t.yes : t.no],
          [t.invitedBy, invited_by],
        ]}
      />
    </Dialog>
  )
}
