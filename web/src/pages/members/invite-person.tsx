/** An invite: whom, as what. Its link is shown once. */
import { useState } from 'react'
import { useFormat } from '../../language/format.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useChange } from '../../session/use-change.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { ErrorState } from '../../ui/notice.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'
import { type Role, RoleChoice } from './role-choice.tsx'

const FORM_ID = 'invite-person'

export const InvitePerson = ({ onClose }: Readonly<{ onClose: () => void }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const { exact } = useFormat()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const invite = useChange({
    change: () => api.post('/invites', { body: { email: email.trim(), role } }),
    touches: [[ws, 'invites']],
  })
  if (invite.answer !== undefined) {
    return (
      <ShownOnce title={t.link(email.trim())} secret={invite.answer.url} onClose={onClose}>
        <p>
          {t.linkNote} <strong>{exact(invite.answer.expires_at)}</strong>
        </p>
      </ShownOnce>
    )
  }
  return (
    <Dialog
      isOpen
      isHeld
      onClose={onClose}
      title={t.inviteTitle}
      foot={
        <Button type="submit" form={FORM_ID} look="primary" disabled={invite.isBusy}>
          {t.makeLink}
        </Button>
      }
    >
      <form
        id={FORM_ID}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          invite.run(undefined)
        }}
      >
        {invite.error === null ? null : <ErrorState error={invite.error} title={t.notInvited} />}
        <TextField
          label={t.email}
          type="email"
          hint={t.inviteHint}
          isRequired
          autoFocus
          autoComplete="off"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <RoleChoice role={role} onChange={setRole} />
      </form>
    </Dialog>
  )
}
