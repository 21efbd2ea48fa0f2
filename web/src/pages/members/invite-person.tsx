/** Invites a person with a role. The link of the invite is shown once. */
import { useKeptFields } from '../../form/use-kept-fields.ts'
import { ActionDialog } from '../../kit/dialog.tsx'
import { useFormat } from '../../language/format.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { TextField } from '../../ui/form/field.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { messages } from './messages.ts'
import { type Role, RoleChoice } from './role-choice.tsx'

const START = { email: '', isAdmin: false }

export const InvitePerson = ({ onClose }: Readonly<{ onClose: () => void }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const { exact } = useFormat()
  const [{ email, isAdmin }, set, forget] = useKeptFields(`invite ${ws}`, START)
  const role: Role = isAdmin ? 'admin' : 'member'
  return (
    <ActionDialog
      isHeld
      onClose={onClose}
      title={t.inviteTitle}
      send={t.makeLink}
      run={() => api.post('/invites', { body: { email: email.trim(), role } })}
      touches={[[ws, 'invites']]}
      onDone={forget}
      failed={t.notInvited}
      result={({ url, expires_at }) => (
        <ShownOnce title={t.link(email.trim())} secret={url} onClose={onClose}>
          <p>
            {t.linkNote} <strong>{exact(expires_at)}</strong>
          </p>
        </ShownOnce>
      )}
    >
      <TextField
        label={t.email}
        type="email"
        hint={t.inviteHint}
        isRequired
        autoFocus
        autoComplete="off"
        value={email}
        onText={(text) => set({ email: text })}
      />
      <RoleChoice role={role} onChange={(next) => set({ isAdmin: next === 'admin' })} />
    </ActionDialog>
  )
}
