/** Deletes a variable or a resource, after a confirmation. */
import { ConfirmAction } from '../../kit/action.tsx'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { onlyAsRead } from '../../session/version.ts'
import { messages } from './messages.ts'

type RemoveSecretProps = Readonly<{
  what: 'variable' | 'resource'
  /** As the reader has seen it. */
  item: Readonly<{ key: string; updated_at: string }>
  onClose: () => void
}>

export const RemoveSecret = ({ what, item, onClose }: RemoveSecretProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const { key } = item
  const request = { params: { key }, headers: onlyAsRead(item) }
  return (
    <ConfirmAction
      onClose={onClose}
      action={{
        label: t.delete,
        confirm: { title: t.removeTitle(key), text: t.removeText },
        run: () =>
          what === 'variable'
            ? api.delete('/variables/{key}', request)
            : api.delete('/resources/{key}', request),
        touches: [[ws, `${what}s`]],
        done: t.removed(key),
        failed: t.notRemoved,
      }}
    />
  )
}
