/** Invites: who was invited, and whether they came. */
import { getRouteApi } from '@tanstack/react-router'
import { CircleCheck, Clock, ClockAlert } from 'lucide-react'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../language/messages.ts'
import { LiveTable } from '../../live/live-table.tsx'
import { useLiveList } from '../../live/use-live-list.ts'
import { useApi } from '../../session/api.ts'
import { useMay } from '../../session/session.ts'
import { useChange } from '../../session/use-change.ts'
import { type Column, RowLink } from '../../ui/data-table.tsx'
import { DetailsDialog } from '../../ui/details-dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import badge from '../../ui/status-badge.module.css'
import { ShortTime, TimeAgo } from '../../ui/time.tsx'
import { messages } from './messages.ts'

const route = getRouteApi('/w/$ws/members')

const PAGE_ROWS = 100
const EVERY_MS = 10_000

type Invite = Schemas['Invite']

const keyOf = ({ id }: Invite): string => id

const isOpenInvite = ({ accepted_at, expires_at }: Invite): boolean =>
  accepted_at === null && new Date(expires_at).getTime() > Date.now()

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
  const { ws } = route.useParams()
  const { open } = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const columns = useColumns()
  const list = useLiveList<Invite>({
    queryKey: [ws, 'invites'],
    read: (cursor, signal) => api.get('/invites', { query: { cursor, limit: PAGE_ROWS }, signal }),
    keyOf,
    isLive: isOpenInvite,
    everyMs: EVERY_MS,
  })
  const shown = list.rows.find(({ id }) => id === open)
  return (
    <>
      <LiveTable
        label={t.invites}
        columns={columns}
        list={list}
        keyOf={keyOf}
        empty={<EmptyState title={t.noInvites} text={t.noInvitesText} />}
      />
      {shown === undefined ? null : (
        <InviteDetails
          invite={shown}
          onClose={() => void navigate({ search: { tab: 'invites' }, replace: true })}
        />
      )}
    </>
  )
}

const useColumns = (): readonly Column<Invite>[] => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  return [
    {
      key: 'state',
      header: t.state,
      width: '6.5rem',
      cell: (invite) => <InviteState invite={invite} />,
    },
    {
      key: 'email',
      header: t.email,
      width: 'minmax(8rem, 2fr)',
      cell: ({ id, email }) => (
        <RowLink to="/w/$ws/members" params={{ ws }} search={{ tab: 'invites', open: id }} replace>
          {email}
        </RowLink>
      ),
    },
    { key: 'role', header: t.role, width: '6rem', cell: ({ role }) => t[role] },
    {
      key: 'by',
      header: t.by,
      width: 'minmax(6rem, 1fr)',
      isWideOnly: true,
      cell: ({ created_by }) => created_by,
    },
    {
      key: 'created',
      header: t.created,
      width: '6.5rem',
      isEnd: true,
      isWideOnly: true,
      cell: ({ created_at }) => <TimeAgo at={created_at} />,
    },
  ]
}

const InviteDetails = ({ invite, onClose }: Readonly<{ invite: Invite; onClose: () => void }>) => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const api = useApi()
  const may = useMay()
  const takeBack = useChange({
    change: () => api.delete('/invites/{id}', { params: { id: invite.id } }),
    touches: [[ws, 'invites']],
    done: t.takenBack,
    failed: t.notTakenBack,
    onDone: onClose,
  })
  const mayTakeBack = may('members:write') && isOpenInvite(invite)
  return (
    <DetailsDialog
      title={invite.email}
      onClose={onClose}
      deed={{
        isOffered: mayTakeBack,
        label: t.takeBack,
        title: t.takeBackTitle(invite.email),
        text: t.takeBackText,
        run: () => takeBack.run(undefined),
        isBusy: takeBack.isBusy,
      }}
    >
      <Facts
        facts={[
          [t.state, <InviteState key="state" invite={invite} />],
          [t.role, t[invite.role]],
          [t.by, invite.created_by],
          [t.created, <ShortTime key="created" at={invite.created_at} />],
          [t.expires, <ShortTime key="expires" at={invite.expires_at} />],
          [
            t.accepted,
            invite.accepted_at === null ? null : (
              <ShortTime key="accepted" at={invite.accepted_at} />
            ),
          ],
        ]}
      />
    </DetailsDialog>
  )
}
