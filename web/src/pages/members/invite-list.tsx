/** The invites: who was invited, and who has accepted. */

import { CircleCheck, Clock, ClockAlert } from 'lucide-react'
import type { Schemas } from '#sdk/client.ts'
import { serverNow } from '../../browser/server-clock.ts'
import { age, column, opens, text, wide } from '../../kit/columns.tsx'
import { Details } from '../../kit/details.tsx'
import { ResourceList } from '../../kit/list.tsx'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useMay } from '../../session/session.ts'
import badge from '../../ui/status-badge.module.css'
import { ShortTime } from '../../ui/time.tsx'
import { messages } from './messages.ts'

type Invite = Schemas['Invite']

const isOpenInvite = ({ accepted_at, expires_at }: Invite): boolean =>
  accepted_at === null && new Date(expires_at).getTime() > serverNow()

const InviteState = ({ invite }: Readonly<{ invite: Invite }>) => {
  const t = useMessages(messages)
  const look =
    invite.accepted_at !== null
      ? { icon: CircleCheck, tone: badge.good, word: t.accepted }
      : isOpenInvite(invite)
        ? { icon: Clock, tone: badge.active, word: t.open }
        : { icon: ClockAlert, tone: badge.waiting, word: t.expired }
  const { icon: Icon, tone, word } = look
  return (
    <span className={`${badge.badge} ${tone === badge.active ? '' : tone}`}>
      <Icon size={15} aria-hidden="true" />
      {word}
    </span>
  )
}

export const InviteList = () => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  return (
    <ResourceList<Invite>
      title={t.invites}
      queryKey={[ws, 'invites']}
      read={(page) => api.get('/invites', page)}
      keyOf={({ id }) => id}
      isLive={isOpenInvite}
      columns={[
        column(t.state, '6.5rem', (invite) => <InviteState invite={invite} />),
        opens(t.email, 'minmax(8rem, 2fr)', ({ id, email }) => ({ id, name: email })),
        column(t.role, '6rem', ({ role }) => t[role]),
        wide(text(t.by, 'minmax(6rem, 1fr)', ({ created_by }) => created_by)),
        wide(age(t.created, ({ created_at }) => created_at)),
      ]}
      empty={{ title: t.noInvites, text: t.noInvitesText }}
      details={(invite, close) => <InviteDetails invite={invite} onClose={close} />}
    />
  )
}

const InviteDetails = ({ invite, onClose }: Readonly<{ invite: Invite; onClose: () => void }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const may = useMay()
  const { id, email, accepted_at } = invite
  return (
    <Details
      title={email}
      onClose={onClose}
      facts={[
        [t.state, <InviteState key="state" invite={invite} />],
        [t.role, t[invite.role]],
        [t.by, invite.created_by],
        [t.created, <ShortTime key="created" at={invite.created_at} />],
        [t.expires, <ShortTime key="expires" at={invite.expires_at} />],
        [t.accepted, accepted_at === null ? null : <ShortTime key="accepted" at={accepted_at} />],
      ]}
      actions={[
        {
          label: t.takeBack,
          look: 'danger',
          isOffered: may('members:write') && isOpenInvite(invite),
          confirm: { title: t.takeBackTitle(email), text: t.takeBackText },
          run: () => api.delete('/invites/{id}', { params: { id } }),
          touches: [[ws, 'invites']],
          done: t.takenBack,
          failed: t.notTakenBack,
        },
      ]}
    />
  )
}
