/** A member: the role, and the ways to keep somebody out. */
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useIdentity, useMay } from '../../session/session.ts'
import { useChange } from '../../session/use-change.ts'
import { Button } from '../../ui/button.tsx'
import { StateBadge } from '../../ui/credential-badge.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { ShortTime } from '../../ui/time.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'
import { type Role, RoleChoice } from './role-choice.tsx'

type MemberDetailsProps = Readonly<{ member: Schemas['Member']; onClose: () => void }>
type Asked = 'disable' | 'remove' | null

export const MemberDetails = ({ member, onClose }: MemberDetailsProps) => {
  const t = useMessages(messages)
  const may = useMay()
  const own = useIdentity()
  const [asked, setAsked] = useState<Asked>(null)
  const [role, setRole] = useState<Role>(member.role)
  const { change, remove } = useMemberChanges(member, onClose)
  const { email, disabled } = member
  const mayWrite = may('members:write')
  if (asked !== null) {
    const isRemoval = asked === 'remove'
    return (
      <ConfirmDialog
        isOpen
        onClose={() => setAsked(null)}
        title={isRemoval ? t.removeTitle(email) : t.disableTitle(email)}
        text={isRemoval ? t.removeText : t.disableText}
        confirm={isRemoval ? t.remove : t.disable}
        onConfirm={() => (isRemoval ? remove.run(undefined) : change.run({ disabled: true }))}
        isBusy={change.isBusy || remove.isBusy}
      />
    )
  }
  const foot = (
    <>
      {email === own ? null : (
        <>
          <Button onClick={() => setAsked('remove')}>{t.remove}</Button>
          <Button
            disabled={change.isBusy}
            onClick={() => (disabled ? change.run({ disabled: false }) : setAsked('disable'))}
          >
            {disabled ? t.enable : t.disable}
          </Button>
        </>
      )}
      <Button
        look="primary"
        disabled={change.isBusy || role === member.role}
        onClick={() => change.run({ role })}
      >
        {t.save}
      </Button>
    </>
  )
  return (
    <Dialog isOpen onClose={onClose} title={member.name ?? email} {...(mayWrite ? { foot } : {})}>
      <div className={styles.form}>
        <Facts
          facts={[
            [t.email, email],
            [t.state, <StateBadge key="state" state={disabled ? 'disabled' : 'active'} />],
            [t.since, <ShortTime key="since" at={member.created_at} />],
          ]}
        />
        <RoleChoice role={role} onChange={setRole} isDisabled={!mayWrite} />
      </div>
    </Dialog>
  )
}

type Wish = Readonly<{ role?: Role; disabled?: boolean }>

const useMemberChanges = ({ email }: Schemas['Member'], onDone: () => void) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  // a changed role of one's own changes what is offered
  const touches = [
    [ws, 'members'],
    [ws, 'whoami'],
  ]
  const change = useChange({
    change: (wish: Wish) => api.patch('/members/{email}', { params: { email }, body: wish }),
    touches,
    failed: t.notSaved,
    onDone,
  })
  const remove = useChange({
    change: () => api.delete('/members/{email}', { params: { email } }),
    touches,
    done: t.removed,
    failed: t.notRemoved,
    onDone,
  })
  return { change, remove }
}
