import { useState } from 'react'
import { useMessages } from '../../language/messages.ts'
import { useApi } from '../../session/api.ts'
import { useChange } from '../../session/use-change.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { ErrorState } from '../../ui/notice.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

const FORM_ID = 'make-workspace'

export const MakeWorkspace = ({ onClose }: Readonly<{ onClose: () => void }>) => {
  const t = useMessages(messages)
  const api = useApi()
  const [id, setId] = useState('')
  const [name, setName] = useState('')
  const make = useChange({
    change: () =>
      api.post('/api/admin/workspaces', {
        body: { id: id.trim(), name: name.trim() === '' ? id.trim() : name.trim() },
      }),
    touches: [['admin', 'workspaces'], ['workspaces']],
    done: t.made,
    onDone: onClose,
  })
  return (
    <Dialog
      isOpen
      isHeld
      onClose={onClose}
      title={t.newWorkspace}
      foot={
        <Button type="submit" form={FORM_ID} look="primary" disabled={make.isBusy}>
          {t.make}
        </Button>
      }
    >
      <form
        id={FORM_ID}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          make.run(undefined)
        }}
      >
        {make.error === null ? null : <ErrorState error={make.error} title={t.notMade} />}
        <TextField
          label={t.id}
          hint={t.idHint}
          isRequired
          autoFocus
          maxLength={63}
          pattern="[a-z0-9][a-z0-9\-]*"
          value={id}
          onChange={(event) => setId(event.target.value)}
        />
        <TextField
          label={t.name}
          maxLength={200}
          placeholder={id}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
