/** A draft as the server has it, with what was typed since; that survives a reload, and goes when it is saved. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Files } from '../../../draft/starter-files.ts'
import { parseJson } from '../../../form/schema-form.tsx'
import { useKeptState } from '../../../form/use-kept-state.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import { type Edits, edit, NO_EDITS, readEdits, rename, withEdits } from '../draft-edits.ts'

/** Another person has saved meanwhile: nothing was written. */
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
  // an edit that was saved meanwhile is not a change any more
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
      // what was typed while it was on its way stays
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
