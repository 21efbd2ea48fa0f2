/** Which workers take the jobs of an action. People with the permission can change it. */

import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { ActionDialog } from '../../../kit/dialog.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { useChange } from '../../../session/use-change.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

type TagFactProps = Readonly<{ app: string; action: Schemas['Action'] }>

export const TagFact = ({ app, action }: TagFactProps) => {
  const t = useMessages(messages)
  const may = useMay()
  const [isOpen, setOpen] = useState(false)
  return (
    <span className={styles.tag}>
      {action.tag}
      {action.tag_override === null ? null : <span className="quiet">({t.overridden})</span>}
      {may('apps:write') ? (
        <button
          type="button"
          className={styles.link}
          aria-label={`${t.changeTag}: ${t.tag}`}
          onClick={() => setOpen(true)}
        >
          {t.changeTag}
        </button>
      ) : null}
      {isOpen ? <TagDialog app={app} action={action} onClose={() => setOpen(false)} /> : null}
    </span>
  )
}

const TagDialog = ({ app, action, onClose }: TagFactProps & Readonly<{ onClose: () => void }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const [tag, setTag] = useState(action.tag)
  const save = (override: string | null) =>
    api.patch('/apps/{app}/actions/{action}', {
      params: { app, action: action.key },
      body: { tag_override: override },
    })
  const change = { touches: [[ws, 'actions', app]], done: t.saved, onDone: onClose }
  const reset = useChange({ ...change, change: () => save(null), failed: t.notSaved })
  return (
    <ActionDialog
      {...change}
      onClose={onClose}
      title={t.tagTitle}
      send={t.save}
      run={() => save(tag)}
      failed={t.notSaved}
      extra={
        action.tag_override === null ? null : (
          <Button disabled={reset.isBusy} onClick={() => reset.run(undefined)}>
            {t.manifestTag}
          </Button>
        )
      }
    >
      <p>{t.tagText}</p>
      <TextField
        isExact
        label={t.tag}
        isRequired
        pattern="[\w.\-]{1,64}"
        value={tag}
        onText={setTag}
      />
    </ActionDialog>
  )
}
