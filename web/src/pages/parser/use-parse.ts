/** Calls the parser with the API key of this page, and keeps the file with the response. */
import { useMutation } from '@tanstack/react-query'
import { createClient } from '#sdk/client.ts'
import { useWorkspace } from '../../session/api.ts'
import { useHeldApiKey } from '../../session/held-api-key.ts'
import type { Parsed } from './entries.ts'

export type Reading = Readonly<{ file: File; parsed: Parsed }>

export const useParse = () => {
  const workspace = useWorkspace()
  const [token] = useHeldApiKey()
  return useMutation({
    // no content of a certificate stays after the page is closed
    gcTime: 0,
    mutationFn: async (file: File): Promise<Reading> => {
      const body = new FormData()
      body.set('file', file)
      const client = createClient({ url: location.origin, workspace, token: token.trim() })
      return { file, parsed: await client.post('/document-parser/registry', { body }) }
    },
  })
}
