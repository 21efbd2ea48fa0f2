/** Deletes a variable or a resource, after a question. */
import { useMutation } from '@tanstack/react-query'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { queryClient } from '../../session/query-client.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { useErrorSentence } from '../../ui/notice.tsx'
import { announce } from '../../ui/toast.tsx'
import { messages } from './messages.ts'

type RemoveSecretProps = Readonly<{
  what: 'variable' | 'resource'
  /** Its key; null: nothing is asked. */
  name: string | null
  onClose: () => void
}>

export const RemoveSecret = ({ what, name, onClose }: RemoveSecretProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const sentence = useErrorSentence()
  const remove = useMutation({
    mutationFn: (key: string) =>
      what === 'variable'
        ? api.delete('/variables/{key}', { params: { key } })
        : api.delete('/resources/{key}', { params: { key } }),
    onSuccess: (_, key) => announce({ title: t.removed(key) }),
    onError: (error) => announce({ tone: 'bad', title: t.notRemoved, text: sentence(error) }),
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: [ws, `${what}s`] })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      isOpen={name !== null}
      onClose={onClose}
      title={t.removeTitle(name ?? '')}
      text={t.removeText}
      confirm={t.remove}
      onConfirm={() => (name === null ? undefined : remove.mutate(name))}
      isBusy={remove.isPending}
    />
  )
}
