/** Deletes a variable or a resource, after a confirmation. */
import { ConfirmAction } from '../../kit/action.tsx'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
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
  return (
    <ConfirmAction
      onClose={onClose}
      action={{
        label: t.delete,
        confirm: { title: t.removeTitle(name), text: t.removeText },
        run: () =>
          what === 'variable'
            ? api.delete('/variables/{key}', { params })
            : api.delete('/resources/{key}', { params }),
        touches: [[ws, `${what}s`]],
        done: t.removed(name),
        failed: t.notRemoved,
      }}
    />
  )
}
