/** Creates a draft of a new or an existing app. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import { ApiError, type Client } from '#sdk/client.ts'
import { starterFiles } from '../../../draft/starter-files.ts'
import { useKeptFields } from '../../../form/use-kept-fields.ts'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { useChange } from '../../../session/use-change.ts'
import { KEY_SHAPE, TextField } from '../../../ui/form/field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { messages } from './messages.ts'

type NewDraftProps = Readonly<{
  /** Apps that already have a draft. */
  drafts: readonly string[]
  first: string
  onClose: () => void
}>

const MOST_APPS = 500

/** Whether the app has no deployment; its draft then starts like that of a new app. */
const isEmptyApp = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'nothing_deployed'

const begin = async (api: Client, app: string, isApp: boolean): Promise<void> => {
  try {
    if (isApp) {
      await api.post('/drafts/{app}/from-deployed', { params: { app } })
      return
    }
  } catch (error) {
    if (!isEmptyApp(error)) throw error
  }
  await api.put('/drafts/{app}', { params: { app }, body: { files: starterFiles(app) } })
}

const useStart = (drafts: readonly string[], apps: readonly string[], onDone: () => void) => {
  const ws = useWorkspace()
  const api = useApi()
  const t = useMessages(messages)
  const navigate = useNavigate()
  return useChange({
    change: async (app: string): Promise<string> => {
      if (!drafts.includes(app)) await begin(api, app, apps.includes(app))
      return app
    },
    touches: [[ws, 'drafts']],
    failedUnseen: t.notCreated,
    onDone,
    leadOn: (app) => void navigate({ to: '/w/$ws/drafts/$app', params: { ws, app } }),
  })
}

export const NewDraft = ({ drafts, first, onClose }: NewDraftProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const list = useId()
  const [{ app }, set, forget] = useKeptFields(`new draft ${ws} ${first}`, { app: first })
  const { data } = useQuery({
    queryKey: [ws, 'app-keys'],
    queryFn: ({ signal }) => api.get('/apps', { query: { limit: MOST_APPS }, signal }),
  })
  const apps = (data?.items ?? []).map(({ key }) => key)
  const start = useStart(drafts, apps, forget)
  const isThere = drafts.includes(app)
  return (
    <FormDialog
      onClose={onClose}
      title={t.newDraft}
      send={isThere ? t.open : t.create}
      onSend={() => start.run(app)}
      isBusy={start.isBusy}
      isDisabled={data === undefined}
      error={start.error}
      failed={t.notCreated}
    >
      <TextField
        isExact
        label={t.key}
        hint={t.keyHint}
        isRequired
        list={list}
        {...KEY_SHAPE}
        value={app}
        onText={(text) => set({ app: text })}
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
