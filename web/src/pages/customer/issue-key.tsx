/** A new key for a customer, shown once. */
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useChange } from '../../session/use-change.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { ExpiryField } from '../../ui/expiry-field.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { messages } from './messages.ts'

type IssueKeyProps = Readonly<{ customer: Schemas['Consumer']; onClose: () => void }>

export const IssueKey = ({ customer: { id, grants }, onClose }: IssueKeyProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const [label, setLabel] = useState('')
  const [days, setDays] = useState<number | null>(null)
  const issue = useChange({
    change: () =>
      api.post('/consumers/{id}/keys', {
        params: { id },
        body: { label: label.trim(), ...(days === null ? {} : { expires_in_days: days }) },
      }),
    touches: [[ws, 'consumers', id, 'keys']],
  })
  if (issue.answer !== undefined) {
    const { app, action } = grants[0] ?? { app: 'hello', action: 'greet' }
    return (
      <ShownOnce title={t.theKey} secret={issue.answer.key} onClose={onClose}>
        <p>{t.keyUse}</p>
        <CommandLine
          command={`curl ${location.origin}/api/w/${ws}/jobs/run/${app}/${action} -H "authorization: Bearer $KEY" -H 'content-type: application/json' -d '{}'`}
        />
      </ShownOnce>
    )
  }
  return (
    <FormDialog
      isHeld
      onClose={onClose}
      title={t.newKey}
      send={t.createKey}
      onSend={() => issue.run(undefined)}
      isDisabled={issue.isBusy}
      error={issue.error}
      failed={t.notCreated}
    >
      <TextField
        label={t.name}
        hint={t.keyHint}
        isRequired
        autoFocus
        maxLength={200}
        value={label}
        onChange={(event) => setLabel(event.target.value)}
      />
      <ExpiryField days={days} onChange={setDays} />
    </FormDialog>
  )
}
