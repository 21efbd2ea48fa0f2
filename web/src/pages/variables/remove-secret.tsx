/** Deletes a variable or a resource, after a question. */
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useChange } from '../../session/use-change.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { messages } from './messages.ts'

type RemoveSecretProps = Readonly<{
  what: 'variable' | 'resource'
  /** Its key. */
  name: string
  onClose: () => void
}>

export const RemoveSecret = ({ what, name, onClose }: RemoveSecretProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const params = { key: name }
  const remove = useChange({
    change: () =>
      what === 'variable'
        ? api.delete('/variables/{key}', { params })
        : api.delete('/resources/{key}', { params }),
    touches: [[ws, `${what}s`]],
    done: t.removed(name),
    failed: t.notRemoved,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={t.removeTitle(name)}
      text={t.removeText}
      confirm={t.delete}
      onConfirm={() => remove.run(undefined)}
      isBusy={remove.isBusy}
    />
  )
}
