/** Reads and changes the channels of the workspace, which the server stores as one list. */
import { useQuery } from '@tanstack/react-query'
import { useApi, useWorkspace } from '../../session/api.ts'
import { changeNow } from '../../session/version.ts'
import type { Channel } from './channel.ts'

export const useChannels = () => {
  const ws = useWorkspace()
  const api = useApi()
  const query = useQuery({
    queryKey: [ws, 'workspace', 'channels'],
    queryFn: async ({ signal }) => (await api.get('/workspace', { signal })).notify ?? [],
  })
  return {
    query,
    touches: [[ws, 'workspace']],
    /** Applies a change to the current channels, so that changes by others are kept. */
    change: (toNext: (now: readonly Channel[]) => readonly Channel[]) =>
      changeNow(
        ws,
        (reader) => reader.get('/workspace'),
        ({ value: { notify }, onlyAsRead: headers }) =>
          api.patch('/workspace', { body: { notify: toNext(notify ?? []) }, headers }),
      ),
  }
}
