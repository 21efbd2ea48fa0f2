/** A member: the role, and actions that end their access. */
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { Details } from '../../kit/details.tsx'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useIdentity, useMay } from '../../session/session.ts'
import { useChange } from '../../session/use-change.ts'
import { Button } from '../../ui/button.tsx'
import { StateBadge } from '../../ui/credential-badge.tsx'
import { ShortTime } from '../../ui/time.tsx'
import { messages } from './messages.ts'
import { type Role, RoleChoice } from './role-choice.tsx'

type MemberDetailsProps = Readonly<{ member: Schemas['Member']; onClose: () => void }>

export const MemberDetails = ({ member, onClose }: MemberDetailsProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const mayWrite = useMay()('members:write')
  const own = useIdentity()
  const [role, setRole] = useState<Role>(member.role)
  const { email, disabled } = member
  const params = { email }
  // changing one's own role changes the available actions
  const touches = [
    [ws, 'members'],
    [ws, 'whoami'],
  ]
  const save = useChange({
    change: () => api.patch('/members/{email}', { params, body: { role } }),
    touches,
    failed: t.notSaved,
    onDone: onClose,
  })
  const isOther = mayWrite && email !== own
  return (
    <Details
      title={member.name ?? email}
      onClose={onClose}
      facts={[
        [t.email, email],
        [t.state, <StateBadge key="state" state={disabled ? 'disabled' : 'active'} />],
        [t.since, <ShortTime key="since" at={member.created_at} />],
      ]}
      actions={[
        {
          label: t.remove,
          isOffered: isOther,
          confirm: { title: t.removeTitle(email), text: t.removeText },
          run: () => api.delete('/members/{email}', { params }),
          touches,
          done: t.removed,
          failed: t.notRemoved,
        },
        {
          label: disabled ? t.enable : t.disable,
          isOffered: isOther,
          ...(disabled ? {} : { confirm: { title: t.disableTitle(email), text: t.disableText } }),
          run: () => api.patch('/members/{email}', { params, body: { disabled: !disabled } }),
          touches,
          failed: t.notSaved,
        },
      ]}
      foot={
        mayWrite ? (
          <Button
            look="primary"
            disabled={save.isBusy || role === member.role}
            onClick={() => save.run(undefined)}
          >
            {t.save}
          </Button>
        ) : null
      }
    >
      <RoleChoice role={role} onChange={setRole} isDisabled={!mayWrite} />
    </Details>
  )
}
