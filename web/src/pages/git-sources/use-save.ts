/** Saves a git source. What another person changed since the form was opened is shown before it is overwritten. */
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useChange } from '../../session/use-change.ts'
import { changeNow } from '../../session/version.ts'
import { announce } from '../../ui/toast.tsx'
import {
  type ConflictField,
  type Credentials,
  conflictsOf,
  draftOf,
  type GitSourceDraft,
  toChanges,
  toRequest,
} from './git-source-draft.ts'
import { formMessages } from './messages.ts'

type SaveOptions = Readonly<{
  /** Null to create one. */
  known: Schemas['GitSource'] | null
  draft: GitSourceDraft
  /** The fields of the draft that were changed. */
  changes: Partial<GitSourceDraft>
  credentials: Credentials
  onSaved: () => void
  leadOn: (saved: Schemas['GitSource']) => void
}>

export const useSave = ({ known, draft, changes, credentials, onSaved, leadOn }: SaveOptions) => {
  const t = useMessages(formMessages)
  const ws = useWorkspace()
  const api = useApi()
  // as the person has seen it
  const [seen, setSeen] = useState(known)
  const [conflicts, setConflicts] = useState<readonly ConflictField[]>([])
  const save = useChange<undefined, Schemas['GitSource'] | null>({
    change: async () => {
      if (seen === null) return api.post('/git-sources', { body: toRequest(draft, credentials) })
      const params = { id: seen.id }
      return changeNow(
        ws,
        (reader) => reader.get('/git-sources/{id}', { params }),
        async ({ value: now, onlyAsRead: headers }) => {
          const found = conflictsOf(changes, seen, now)
          setConflicts(found)
          setSeen(now)
          if (found.length > 0) return null
          const request = toRequest({ ...draftOf(now), ...changes }, credentials)
          return api.patch('/git-sources/{id}', { params, body: toChanges(request, now), headers })
        },
      )
    },
    touches: [[ws]],
    failedUnseen: t.notSaved,
    onDone: (saved) => {
      if (saved === null) return
      announce({ title: t.saved })
      onSaved()
    },
    leadOn: (saved) => {
      if (saved !== null) leadOn(saved)
    },
  })
  return { ...save, conflicts, seen }
}
