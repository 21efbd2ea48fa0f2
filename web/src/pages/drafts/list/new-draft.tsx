/** A draft of a new app, or of one that is there. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { Client } from '#sdk/client.ts'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import { TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { type Files, starterFiles } from '../starter-files.ts'
import { messages } from './messages.ts'

type NewDraftProps = Readonly<{
  /** Apps that have one. */
  drafts: readonly string[]
  first: string
  onClose: () => void
}>

const MOST_APPS = 500

const decode = (base64: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(base64), (each) => each.codePointAt(0) ?? 0))

/** What of a deployed app can be written on: its functions, and whether it has actions. */
const readApp = async (api: Client, app: string): Promise<Parameters<typeof starterFiles>[1]> => {
  const [functions, actions] = await Promise.all([
    api.get('/apps/{app}/functions', { params: { app } }),
    api.get('/apps/{app}/actions', { params: { app } }),
  ])
  const files: Files = Object.fromEntries(
    functions.items.flatMap(({ name, files }) =>
      Object.entries(files).map(([path, text]) => [pathOf(name, path), decode(text)]),
    ),
  )
  return { functions: files, hasActions: actions.items.length > 0 }
}

const pathOf = (name: string, path: string): string =>
  path.startsWith('functions/') ? path : `functions/${name}/${path}`

const useStart = (drafts: readonly string[], apps: readonly string[]) => {
  const ws = useWorkspace()
  const api = useApi()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async (app: string) => {
      if (drafts.includes(app)) return
      const known = apps.includes(app)
        ? await readApp(api, app)
        : { functions: {}, hasActions: false }
      await api.put('/drafts/{app}', { params: { app }, body: { files: starterFiles(app, known) } })
    },
    onSuccess: async (_, app) => {
      await queryClient.invalidateQueries({ queryKey: [ws, 'drafts'] })
      void navigate({ to: '/w/$ws/drafts/$app', params: { ws, app } })
    },
  })
}

export const NewDraft = ({ drafts, first, onClose }: NewDraftProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const list = useId()
  const [app, setApp] = useState(first)
  const { data } = useQuery({
    queryKey: [ws, 'app-keys'],
    queryFn: ({ signal }) => api.get('/apps', { query: { limit: MOST_APPS }, signal }),
  })
  const apps = (data?.items ?? []).map(({ key }) => key)
  const start = useStart(drafts, apps)
  const isThere = drafts.includes(app)
  return (
    <FormDialog
      onClose={onClose}
      title={t.newDraft}
      send={isThere ? t.open : t.create}
      onSend={() => start.mutate(app)}
      isDisabled={start.isPending || data === undefined}
      error={start.error}
      failed={t.notCreated}
    >
      <TextField
        label={t.key}
        hint={t.keyHint}
        isRequired
        list={list}
        pattern="[a-z0-9][a-z0-9\-]*"
        maxLength={63}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={app}
        onChange={(event) => setApp(event.target.value)}
      />
      <datalist id={list}>
        {apps.map((key) => (
          <option key={key} value={key} />
        ))}
      </datalist>
      {isThere ? <p>{t.exists}</p> : apps.includes(app) ? <p>{t.known}</p> : null}
    </FormDialog>
  )
}
