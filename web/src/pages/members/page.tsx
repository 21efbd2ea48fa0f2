import { getRouteApi } from '@tanstack/react-router'
import { UserPlus } from 'lucide-react'
import type { Schemas } from '#sdk/client.ts'
import { FormButton } from '../../app/form-button.tsx'
import { useMessages } from '../../language/messages.ts'
import { LiveTable } from '../../live/live-table.tsx'
import { useLiveList } from '../../live/use-live-list.ts'
import { useApi } from '../../session/api.ts'
import { useIdentity, useMay } from '../../session/session.ts'
import { StateBadge } from '../../ui/credential-badge.tsx'
import { type Column, RowLink } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ShortTime } from '../../ui/time.tsx'
import { InviteList } from './invite-list.tsx'
import { InvitePerson } from './invite-person.tsx'
import { MemberDetails } from './member-details.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

const route = getRouteApi('/w/$ws/members')

const PAGE_ROWS = 200
const EVERY_MS = 10_000

type Member = Schemas['Member']

const keyOf = ({ email }: Member): string => email

export const MembersPage = () => {
  const t = useMessages(messages)
  const { tab = 'members' } = route.useSearch()
  const navigate = route.useNavigate()
  const may = useMay()
  const mayInvite = may('members:write')
  return (
    <Page
      title={t.title}
      about={t.about}
      isFilled
      actions={
        mayInvite ? (
          <FormButton label={t.invite} icon={UserPlus}>
            {(close) => <InvitePerson onClose={close} />}
          </FormButton>
        ) : null
      }
    >
      <Tabs
        isFilled
        label={t.tabs}
        open={tab}
        onOpen={(next) =>
          void navigate({ search: next === 'invites' ? { tab: next } : {}, replace: true })
        }
        items={[
          {
            name: 'members',
            label: t.title,
            content: <MemberList />,
          },
          {
            name: 'invites',
            label: t.invites,
            content: <InviteList />,
          },
        ]}
      />
    </Page>
  )
}

const MemberList = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { open } = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const columns = useColumns()
  const list = useLiveList<Member>({
    queryKey: [ws, 'members'],
    read: (cursor, signal) => api.get('/members', { query: { cursor, limit: PAGE_ROWS }, signal }),
    keyOf,
    everyMs: EVERY_MS,
  })
  const shown = list.rows.find(({ email }) => email === open)
  return (
    <>
      <LiveTable
        label={t.title}
        columns={columns}
        list={list}
        keyOf={keyOf}
        empty={<EmptyState title={t.noMembers} text={t.noMembersText} />}
      />
      {shown === undefined ? null : (
        <MemberDetails
          key={shown.email}
          member={shown}
          onClose={() => void navigate({ search: {}, replace: true })}
        />
      )}
    </>
  )
}

const useColumns = (): readonly Column<Member>[] => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const own = useIdentity()
  return [
    {
      key: 'email',
      header: t.email,
      width: 'minmax(8rem, 2fr)',
      cell: ({ email }) => (
        <>
          <RowLink to="/w/$ws/members" params={{ ws }} search={{ open: email }} replace>
            {email}
          </RowLink>
          {email === own ? <span className={styles.muted}> ({t.you})</span> : null}
        </>
      ),
    },
    {
      key: 'name',
      header: t.name,
      width: 'minmax(6rem, 1fr)',
      isWideOnly: true,
      cell: ({ name }) => name ?? '–',
    },
    { key: 'role', header: t.role, width: '6rem', cell: ({ role }) => t[role] },
    {
      key: 'state',
      header: t.state,
      width: '7rem',
      cell: ({ disabled }) => <StateBadge state={disabled ? 'disabled' : 'active'} />,
    },
    {
      key: 'since',
      header: t.since,
      width: '9rem',
      isEnd: true,
      isWideOnly: true,
      cell: ({ created_at }) => <ShortTime at={created_at} />,
    },
  ]
}
