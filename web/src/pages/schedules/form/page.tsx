/** Creates or changes a schedule. The next fire times are shown while typing. */

import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ApiError } from '#sdk/client.ts'
import { useKeptState } from '../../../form/use-kept-state.ts'
import { DetailPage } from '../../../kit/detail-page.tsx'
import { useMessages } from '../../../language/messages.ts'
import { targetName } from '../../../schedule/target.ts'
import { viewerZone } from '../../../schedule/zone-time.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import { useMay } from '../../../session/session.ts'
import { useChange } from '../../../session/use-change.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/facts.tsx'
import { CheckField, SelectField } from '../../../ui/form/field.tsx'
import { EmptyState, ErrorState } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import {
  changeText,
  type Draft,
  draftOf,
  newDraft,
  OVERLAPS,
  overlapOf,
  readDraft,
  type ScheduleBody,
  toBody,
  toChanges,
  UNCHANGED,
} from './draft.ts'
import { InputFields } from './input-fields.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'
import { TargetFields } from './target-fields.tsx'
import { useTargets } from './use-targets.ts'
import { WhenFields } from './when-fields.tsx'

const newRoute = getRouteApi('/w/$ws/schedules/new')
const editRoute = getRouteApi('/w/$ws/schedules/$id/edit')

export const NewSchedulePage = () => {
  const t = useMessages(messages)
  const { app = '' } = newRoute.useSearch()
  const may = useMay()
  if (!may('schedules:write')) return <NotAllowed title={t.newTitle} text={t.notAllowedText} />
  return <ScheduleForm id={null} title={t.newTitle} initial={newDraft(viewerZone(), app)} />
}

export const EditSchedulePage = () => {
  const t = useMessages(messages)
  const { ws, id } = editRoute.useParams()
  const api = useApi()
  const may = useMay()
  const query = useQuery({
    queryKey: [ws, 'schedule', id],
    queryFn: ({ signal }) => api.get('/schedules/{id}', { params: { id }, signal }),
  })
  return (
    <DetailPage query={query} title={id}>
      {(data) => {
        const title = t.editTitle(targetName(data))
        if (!may('schedules:write')) return <NotAllowed title={title} text={t.notAllowedText} />
        if (data.managed_by !== null) {
          return <NotAllowed title={title} text={t.managedText(data.app_key)} />
        }
        return <ScheduleForm key={id} id={id} title={title} initial={draftOf(data)} />
      }}
    </DetailPage>
  )
}

const Trail = () => {
  const t = useMessages(messages)
  return (
    <Link to="/w/$ws/schedules" params={{ ws: useWorkspace() }}>
      {t.schedules}
    </Link>
  )
}

/** Shown instead of a form that the server would refuse. */
const NotAllowed = ({ title, text }: Readonly<{ title: string; text: string }>) => {
  const t = useMessages(messages)
  return (
    <Page title={title} trail={<Trail />}>
      <EmptyState title={t.notAllowed} text={text} />
    </Page>
  )
}

/** The faults by field. The server's paths are such as `body.cron` or `cron`. */
const faultsOf = (error: Error | null): Readonly<Record<string, string>> =>
  error instanceof ApiError
    ? Object.fromEntries(
        error.details.map(({ path, message }) => [path.replace(/^body\.?/, ''), message]),
      )
    : {}

type SaveOptions = Readonly<{
  id: string | null
  draft: Draft
  initial: Draft
  onSaved: () => void
}>

const useSave = ({ id, draft, initial, onSaved }: SaveOptions) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const navigate = useNavigate()
  return useChange({
    change: (body: ScheduleBody) =>
      id === null
        ? api.post('/schedules', { body })
        : api.patch('/schedules/{id}', { params: { id }, body: toChanges(body, draft, initial) }),
    touches: [[ws, 'schedules']],
    done: id === null ? t.created : t.saved,
    onDone: (saved) => {
      onSaved()
      queryClient.setQueryData([ws, 'schedule', saved.id], saved)
    },
    leadOn: ({ id: saved }) =>
      void navigate({ to: '/w/$ws/schedules/$id', params: { ws, id: saved } }),
  })
}

type ScheduleFormProps = Readonly<{ id: string | null; title: string; initial: Draft }>

const ScheduleForm = ({ id, title, initial }: ScheduleFormProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const [text, setText, forget] = useKeptState(
    `schedule ${ws} ${id ?? `new ${initial.app}`}`,
    UNCHANGED,
  )
  const draft = readDraft(text, initial)
  const change = (next: Partial<Draft>): void => setText(changeText(text, draft, next))
  const targets = useTargets(draft)
  const save = useSave({ id, draft, initial, onSaved: forget })
  const body = toBody(draft)
  const faults = faultsOf(save.error)
  return (
    <Page title={title} trail={<Trail />}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (body !== null) save.run(body)
        }}
      >
        <Card title={t.what}>
          <TargetFields draft={draft} targets={targets} onChange={change} />
        </Card>
        <Card title={t.when}>
          <WhenFields draft={draft} faults={faults} onChange={change} />
          <SelectField
            label={t.overlap}
            value={draft.overlap}
            onChange={(next) => change({ overlap: overlapOf(next) })}
            options={OVERLAPS.map((overlap) => ({ value: overlap, label: t[overlap] }))}
          />
        </Card>
        <Card title={t.input}>
          <InputFields
            key={`${draft.app} ${draft.kind} ${draft.target}`}
            draft={draft}
            schema={targets.schema}
            faults={faults}
            onChange={change}
          />
        </Card>
        {save.error === null ? null : <ErrorState error={save.error} title={t.notSaved} />}
        <div className={styles.foot}>
          <CheckField
            label={t.enabled}
            checked={draft.enabled}
            onChange={(event) => change({ enabled: event.target.checked })}
          />
          <Button type="submit" look="primary" disabled={body === null || save.isBusy}>
            {id === null ? t.create : t.save}
          </Button>
        </div>
      </form>
    </Page>
  )
}
