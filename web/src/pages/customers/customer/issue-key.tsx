/** Creates a key for a customer, which is shown once. */
import type { Schemas } from '#sdk/client.ts'
import { useKeptFields } from '../../../form/use-kept-fields.ts'
import { ActionDialog } from '../../../kit/dialog.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { CommandLine } from '../../../ui/command-line.tsx'
import { ExpiryField } from '../../../ui/form/expiry-field.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { ShownOnce } from '../../../ui/shown-once.tsx'
import { messages } from './messages.ts'

type KeyDraft = Readonly<{ label: string; days: number | null }>

const START: KeyDraft = { label: '', days: null }

type IssueKeyProps = Readonly<{ customer: Schemas['Consumer']; onClose: () => void }>

export const IssueKey = ({ customer: { id, grants }, onClose }: IssueKeyProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const [{ label, days }, set, forget] = useKeptFields(`new key ${ws} ${id}`, START)
  const { app, action } = grants[0] ?? { app: 'hello', action: 'greet' }
  return (
    <ActionDialog
      isHeld
      onClose={onClose}
      title={t.newKey}
      send={t.createKey}
      run={() =>
        api.post('/consumers/{id}/keys', {
          params: { id },
          body: { label: label.trim(), ...(days === null ? {} : { expires_in_days: days }) },
        })
      }
      touches={[[ws, 'consumers', id, 'keys']]}
      onDone={forget}
      failed={t.notCreated}
      result={({ key }) => (
        <ShownOnce title={t.theKey} secret={key} onClose={onClose}>
          <p>{t.keyUse}</p>
          <CommandLine
            command={`curl ${location.origin}/api/w/${ws}/jobs/run/${app}/${action} -H "authorization: Bearer $KEY" -H 'content-type: application/json' -d '{}'`}
          />
        </ShownOnce>
      )}
    >
      <TextField
        label={t.name}
        hint={t.keyHint}
        isRequired
        autoFocus
        maxLength={200}
        value={label}
        onText={(text) => set({ label: text })}
      />
      <ExpiryField days={days} onChange={(next) => set({ days: next })} />
    </ActionDialog>
  )
}
