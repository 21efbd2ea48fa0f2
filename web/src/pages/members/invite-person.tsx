/** An invite: whom, as what. Its link is shown once. */
import { useState } from 'react'
import { useFormat } from '../../language/format.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useChange } from '../../session/use-change.ts'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { messages } from './messages.ts'
import { type Role, RoleChoice } from './role-choice.tsx'

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
    <FormDialog
      isHeld
      onClose={onClose}
      title={t.inviteTitle}
      send={t.makeLink}
      onSend={() => invite.run(undefined)}
      isDisabled={invite.isBusy}
      error={invite.error}
      failed={t.notInvited}
    >
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
    </FormDialog>
  )
}
