/** Creates an API key, which is shown once. From there it can be tried at once. */
import { useNavigate } from '@tanstack/react-router'
import { useKeptFields } from '../../form/use-kept-fields.ts'
import { ActionDialog } from '../../kit/dialog.tsx'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useHeldApiKey } from '../../session/held-api-key.ts'
import { Button } from '../../ui/button.tsx'
import { CommandLine } from '../../ui/command-line.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { messages } from './messages.ts'

/** A call of the document parser, with the key in an environment variable. */
export const PARSE_COMMAND = `curl ${location.origin}/document-parser/registry -H "authorization: Bearer $SVC_API_KEY" -F file=@certificate.pdf`

export const IssueApiKey = ({ onClose }: Readonly<{ onClose: () => void }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const [{ name }, set, forget] = useKeptFields(`new API key ${ws}`, { name: '' })
  return (
    <ActionDialog
      isHeld
      onClose={onClose}
      title={t.add}
      send={t.create}
      run={() => api.post('/api-keys', { body: { name: name.trim() } })}
      touches={[[ws, 'api-keys']]}
      onDone={forget}
      failed={t.notCreated}
      result={({ key }) => <IssuedKey text={key} onClose={onClose} />}
    >
      <TextField
        label={t.name}
        hint={t.nameHint}
        isRequired
        autoFocus
        maxLength={200}
        value={name}
        onText={(text) => set({ name: text })}
      />
    </ActionDialog>
  )
}

const IssuedKey = ({ text, onClose }: Readonly<{ text: string; onClose: () => void }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const navigate = useNavigate()
  const [, holdApiKey] = useHeldApiKey()
  const tryIt = () => {
    holdApiKey(text)
    void navigate({ to: '/w/$ws/parser', params: { ws } })
  }
  return (
    <ShownOnce title={t.theKey} secret={text} onClose={onClose}>
      <p>{t.use}</p>
      <CommandLine command={PARSE_COMMAND} />
      <div>
        <Button onClick={tryIt}>{t.playground}</Button>
      </div>
    </ShownOnce>
  )
}
