/** Which workers take the jobs of an action; who may sends them elsewhere. */
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import { useMay } from '../../../session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { FormColumn } from '../../../ui/form-column.tsx'
import { ErrorState } from '../../../ui/notice.tsx'
import { announce } from '../../../ui/toast.tsx'
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
      {action.tag_override === null ? null : <span className={styles.quiet}>({t.overridden})</span>}
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
  const form = useId()
  const [tag, setTag] = useState(action.tag)
  const save = useMutation({
    mutationFn: (override: string | null) =>
      api.patch('/apps/{app}/actions/{action}', {
        params: { app, action: action.key },
        body: { tag_override: override },
      }),
    onSuccess: async () => {
      announce({ title: t.saved })
      await queryClient.invalidateQueries({ queryKey: [ws, 'actions', app] })
      onClose()
    },
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t.tagTitle}
      foot={
        <>
          {action.tag_override === null ? null : (
            <Button disabled={save.isPending} onClick={() => save.mutate(null)}>
              {t.manifestTag}
            </Button>
          )}
          <Button type="submit" form={form} look="primary" disabled={save.isPending}>
            {t.save}
          </Button>
        </>
      }
    >
      <FormColumn id={form} onSubmit={() => save.mutate(tag)}>
        <p>{t.tagText}</p>
        {save.error === null ? null : <ErrorState error={save.error} title={t.notSaved} />}
        <TextField
          label={t.tag}
          isRequired
          pattern="[\w.\-]{1,64}"
          spellCheck={false}
          autoCapitalize="off"
          value={tag}
          onChange={(event) => setTag(event.target.value)}
        />
      </FormColumn>
    </Dialog>
  )
}
