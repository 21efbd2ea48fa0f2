/** A link from the deployed code of an app to its draft, where the code is corrected. It is missing if the app has no draft. */
import { useQuery } from '@tanstack/react-query'
import { FilePen } from 'lucide-react'
import { defineMessages, useMessages } from '../../language/messages.ts'
import { readRows } from '../../live/read-rows.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useMay } from '../../session/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import type { CodePlace } from './code-place.ts'

const messages = defineMessages({
  edit: { en: 'Edit draft', ko: '초안 편집' },
})

/** More drafts than a workspace has. */
const MOST = 500
const NOWHERE: CodePlace = {}

export type EditDraftProps = Readonly<{
  app: string
  /** Where the draft opens. */
  place?: CodePlace
}>

export const EditDraft = ({ app, place = NOWHERE }: EditDraftProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const may = useMay()
  const drafts = useQuery({
    queryKey: [ws, 'drafts', 'all'],
    queryFn: ({ signal }) => readRows(MOST, (page) => api.get('/drafts', { query: page, signal })),
    enabled: may('drafts:read') && may('drafts:write'),
  })
  if (drafts.data?.some((draft) => draft.app === app) !== true) return null
  return (
    <ButtonLink to="/w/$ws/drafts/$app" params={{ ws, app }} search={place}>
      <FilePen size={15} aria-hidden="true" />
      {t.edit}
    </ButtonLink>
  )
}
