/** A new API key, shown once; from there it can be tried at once. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useHeldApiKey } from '../../session/held-api-key.ts'
import { useChange } from '../../session/use-change.ts'
import { Button } from '../../ui/button.tsx'
import { CommandLine } from '../../ui/command-line.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { messages } from './messages.ts'

export const IssueApiKey = ({ onClose }: Readonly<{ onClose: () => void }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const [name, setName] = useState('')
  const issue = useChange({
    change: () => api.post('/api-keys', { body: { name: name.trim() } }),
    touches: [[ws, 'api-keys']],
  })
  if (issue.answer !== undefined) return <IssuedKey text={issue.answer.key} onClose={onClose} />
  return (
    <FormDialog
      isHeld
      onClose={onClose}
      title={t.add}
      send={t.create}
      onSend={() => issue.run(undefined)}
      isDisabled={issue.isBusy}
      error={issue.error}
      failed={t.notCreated}
    >
      <TextField
        label={t.name}
        hint={t.nameHint}
        isRequired
        autoFocus
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
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
      <CommandLine
        command={`curl ${location.origin}/document-parser/registry -H "authorization: Bearer $SVC_API_KEY" -F file=@certificate.pdf`}
      />
      <div>
        <Button onClick={tryIt}>{t.playground}</Button>
      </div>
    </ShownOnce>
  )
}
