import { getRouteApi } from '@tanstack/react-router'
import { UserPlus } from 'lucide-react'
import type { Schemas } from '#sdk/client.ts'
import { column, day, OpenLink, text, wide } from '../../kit/columns.tsx'
import { FormButton } from '../../kit/form-button.tsx'
import { ResourceList } from '../../kit/list.tsx'
import { useMessages } from '../../language/messages.ts'
import { useApi } from '../../session/api.ts'
import { useIdentity } from '../../session/session.ts'
import { StateBadge } from '../../ui/credential-badge.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { InviteList } from './invite-list.tsx'
import { InvitePerson } from './invite-person.tsx'
import { MemberDetails } from './member-details.tsx'
import { messages } from './messages.ts'

const route = getRouteApi('/w/$ws/members')

export const MembersPage = () => {
  const t = useMessages(messages)
  const { tab = 'members' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Page
      title={t.members}
      about={t.about}
      isFilled
      actions={
        <FormButton need="members:write" label={t.invite} icon={UserPlus}>
          {(close) => <InvitePerson onClose={close} />}
        </FormButton>
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
          { name: 'members', label: t.members, content: <MemberList /> },
          { name: 'invites', label: t.invites, content: <InviteList /> },
        ]}
      />
    </Page>
  )
}

const MemberList = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const api = useApi()
  const own = useIdentity()
  return (
    <ResourceList<Schemas['Member']>
      title={t.members}
      queryKey={[ws, 'members']}
      read={(page) => api.get('/members', page)}
      keyOf={({ email }) => email}
      columns={[
        column(t.email, 'minmax(8rem, 2fr)', ({ email }) => (
          <>
            <OpenLink id={email}>{email}</OpenLink>
            {email === own ? <span className="quiet"> ({t.you})</span> : null}
          </>
        )),
        wide(text(t.name, 'minmax(6rem, 1fr)', ({ name }) => name)),
        column(t.role, '4.5rem', ({ role }) => t[role]),
        column(t.state, '6rem', ({ disabled }) => (
          <StateBadge state={disabled ? 'disabled' : 'active'} />
        )),
        wide(day(t.since, ({ created_at }) => created_at)),
      ]}
      empty={{ title: t.noMembers, text: t.noMembersText }}
      details={(member, close) => <MemberDetails member={member} onClose={close} />}
    />
  )
}
