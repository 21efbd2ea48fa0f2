/** A draft from the server with unsaved changes. The changes survive a reload, and are dropped when they are saved. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Files } from '../../../draft/starter-files.ts'
import { parseJson } from '../../../form/schema-form.tsx'
import { useKeptState } from '../../../form/use-kept-state.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import { type Edits, edit, NO_EDITS, readEdits, rename, withEdits } from '../draft-edits.ts'

/** Thrown if another person has saved meanwhile. Nothing was written. */
export class SavedMeanwhile extends Error {
  readonly by: string
  constructor(by: string) {
    super(`The draft was saved by ${by} meanwhile.`)
    this.by = by
  }
}

const NOTHING: Files = {}

export const useDraft = (app: string) => {
  const ws = useWorkspace()
  const api = useApi()
  const queryKey = [ws, 'draft', app]
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.get('/drafts/{app}', { params: { app }, signal }),
  })
  const [kept, keep, forget] = useKeptState(`draft ${ws} ${app}`, JSON.stringify(NO_EDITS))
  const saved = query.data?.files ?? NOTHING
  // drop edits that were saved meanwhile
  const edits = edit(saved, readEdits(parseJson(kept)), {})
  const files = withEdits(saved, edits)
  const latest = useRef(edits)
  latest.current = edits
  const become = (next: Edits): void => keep(JSON.stringify(next))

  const save = useMutation({
    mutationFn: async () => {
      const known = query.data
      const now = await api.get('/drafts/{app}', { params: { app } })
      if (known !== undefined && now.updated_at !== known.updated_at) {
        queryClient.setQueryData(queryKey, now)
        throw new SavedMeanwhile(now.updated_by)
      }
      const whole = withEdits(now.files, edits)
      const answer = await api.put('/drafts/{app}', { params: { app }, body: { files: whole } })
      return { ...answer, files: whole }
    },
    onSuccess: (draft) => {
      queryClient.setQueryData(queryKey, draft)
      // keep what was typed while the request was in progress
      become(edit(draft.files, latest.current, {}))
      void queryClient.invalidateQueries({ queryKey: [ws, 'drafts'] })
    },
  })
  return {
    query,
    files,
    edits,
    save,
    forget,
    changeFiles: (changes: Edits) => become(edit(saved, edits, changes)),
    renameFile: (from: string, to: string) => become(rename(saved, edits, { from, to })),
    revert: () => become(NO_EDITS),
  }
}
