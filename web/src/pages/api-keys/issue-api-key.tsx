/** A new API key, shown once; from there it can be tried at once. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useHeldApiKey } from '../../session/held-api-key.ts'
import { useChange } from '../../session/use-change.ts'
import { Button } from '../../ui/button.tsx'
import { CommandLine } from '../../ui/command-line.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { ErrorState } from '../../ui/notice.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

const FORM_ID = 'issue-api-key'

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
    <Dialog
      isOpen
      isHeld
      onClose={onClose}
      title={t.add}
      foot={
        <Button type="submit" form={FORM_ID} look="primary" disabled={issue.isBusy}>
          {t.create}
        </Button>
      }
    >
      <form
        id={FORM_ID}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          issue.run(undefined)
        }}
      >
        {issue.error === null ? null : <ErrorState error={issue.error} title={t.notCreated} />}
        <TextField
          label={t.name}
          hint={t.nameHint}
          isRequired
          autoFocus
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </form>
    </Dialog>
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
