/** A draft from the server with unsaved changes. The changes survive a reload, and are dropped when they are saved. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Files } from '../../../draft/starter-files.ts'
import { parseJson } from '../../../form/schema-form.tsx'
import { useKeptState } from '../../../form/use-kept-state.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import {
  type Edits,
  edit,
  keptText,
  NO_EDITS,
  readKept,
  rename,
  withEdits,
} from '../draft-edits.ts'

/** Thrown if another person has saved meanwhile. Nothing was written. */
export class SavedMeanwhile extends Error {
  readonly by: string
  constructor(by: string) {
    super(`The draft was saved by ${by} meanwhile.`)
    this.by = by
  }
}

const NOTHING: Files = {}
const NOTHING_KEPT = keptText({ base: null, edits: NO_EDITS })

export const useDraft = (app: string) => {
  const ws = useWorkspace()
  const api = useApi()
  const queryKey = [ws, 'draft', app]
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.get('/drafts/{app}', { params: { app }, signal }),
  })
  const [text, keep] = useKeptState(`draft ${ws} ${app}`, NOTHING_KEPT)
  const saved = query.data?.files ?? NOTHING
  const kept = readKept(parseJson(text))
  // drop edits that were saved meanwhile
  const edits = edit(saved, kept.edits, {})
  // the query is read again whenever the window gets the focus, but the edits do not contain what others saved
  const base = kept.base ?? query.data?.updated_at ?? null
  const files = withEdits(saved, edits)
  const latest = useRef(edits)
  latest.current = edits
  const become = (next: Edits, on = base): void => keep(keptText({ base: on, edits: next }))

  const save = useMutation({
    mutationFn: async () => {
      const now = await api.get('/drafts/{app}', { params: { app } })
      if (base !== null && now.updated_at !== base) {
        queryClient.setQueryData(queryKey, now)
        // saving again replaces what the warning names
        become(latest.current, now.updated_at)
        throw new SavedMeanwhile(now.updated_by)
      }
      const whole = withEdits(now.files, edits)
      const headers = { 'if-match': `"${now.updated_at}"` }
      const body = { files: whole }
      const answer = await api.put('/drafts/{app}', { params: { app }, body, headers })
      return { ...answer, files: whole }
    },
    onSuccess: (draft) => {
      queryClient.setQueryData(queryKey, draft)
      // keep what was typed while the request was in progress
      become(edit(draft.files, latest.current, {}), draft.updated_at)
      void queryClient.invalidateQueries({ queryKey: [ws, 'drafts'] })
    },
  })
  return {
    query,
    files,
    edits,
    save,
    changeFiles: (changes: Edits) => become(edit(saved, edits, changes)),
    renameFile: (from: string, to: string) => become(rename(saved, edits, { from, to })),
    revert: () => become(NO_EDITS),
  }
}
