/** Creates or changes a schedule. The next fire times are shown while typing. */

import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError, type Schemas } from '#sdk/client.ts'
import { asksForSecret } from '../../../form/schema-field.ts'
import { useKeptState } from '../../../form/use-kept-state.ts'
import { DetailPage } from '../../../kit/detail-page.tsx'
import { useMessages } from '../../../language/messages.ts'
import { scheduleQuery } from '../../../live/queries.ts'
import { targetName } from '../../../schedule/target.ts'
import { viewerZone } from '../../../schedule/zone-time.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import { useMay } from '../../../session/session.ts'
import { useChange } from '../../../session/use-change.ts'
import { isChangedMeanwhile, onlyAsRead } from '../../../session/version.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/facts.tsx'
import { CheckField, SelectField } from '../../../ui/form/field.tsx'
import { EmptyState, ErrorState } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { Conflicts } from './conflicts.tsx'
import {
  changeText,
  conflictsOf,
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
  withoutInput,
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
  return <ScheduleForm known={null} title={t.newTitle} initial={newDraft(viewerZone(), app)} />
}

export const EditSchedulePage = () => {
  const t = useMessages(messages)
  const { ws, id } = editRoute.useParams()
  const api = useApi()
  const may = useMay()
  const query = useQuery(scheduleQuery(api, ws, id))
  return (
    <DetailPage query={query} title={id}>
      {(data) => {
        const title = t.editTitle(targetName(data))
        if (!may('schedules:write')) return <NotAllowed title={title} text={t.notAllowedText} />
        if (data.managed_by !== null) {
          return <NotAllowed title={title} text={t.managedText(data.app_key)} />
        }
        return <ScheduleForm key={id} known={data} title={title} initial={draftOf(data)} />
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
  /** Null for a new one. */
  known: Schemas['Schedule'] | null
  text: string
  onSaved: () => void
}>

/** Saves the changed fields. Changes of other fields that others have made meanwhile stay. */
const useSave = ({ known, text, onSaved }: SaveOptions) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const navigate = useNavigate()
  const changeIt = (read: Schemas['Schedule'], body: ScheduleBody) => {
    const initial = draftOf(read)
    const changes = toChanges(body, readDraft(text, initial), initial)
    const params = { id: read.id }
    return api.patch('/schedules/{id}', { params, body: changes, headers: onlyAsRead(read) })
  }
  return useChange({
    change: async (body: ScheduleBody) => {
      if (known === null) return api.post('/schedules', { body })
      try {
        return await changeIt(known, body)
      } catch (error) {
        if (!isChangedMeanwhile(error)) throw error
        const params = { id: known.id }
        const now = await api.get('/schedules/{id}', { params })
        queryClient.setQueryData([ws, 'schedule', known.id], now)
        if (conflictsOf(text, draftOf(now)).length > 0) throw error
        return await changeIt(now, body)
      }
    },
    touches: [[ws, 'schedules']],
    done: known === null ? t.created : t.saved,
    onDone: (saved) => {
      onSaved()
      queryClient.setQueryData([ws, 'schedule', saved.id], saved)
    },
    leadOn: ({ id }) => void navigate({ to: '/w/$ws/schedules/$id', params: { ws, id } }),
  })
}

type ScheduleFormProps = Readonly<{
  known: Schemas['Schedule'] | null
  title: string
  initial: Draft
}>

const ScheduleForm = ({ known, title, initial }: ScheduleFormProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  // stays true for another target, because the input stays too
  const [hasSecret, setHasSecret] = useState(false)
  const [text, setText, forget] = useKeptState(
    `schedule ${ws} ${known?.id ?? `new ${initial.app}`}`,
    UNCHANGED,
    hasSecret ? withoutInput : true,
  )
  const draft = readDraft(text, initial)
  const change = (next: Partial<Draft>): void => setText(changeText(text, draft, next))
  const targets = useTargets(draft)
  if (!hasSecret && asksForSecret(targets.schema)) setHasSecret(true)
  const save = useSave({ known, text, onSaved: forget })
  const conflicts = known === null ? [] : conflictsOf(text, initial)
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
        <Conflicts fields={conflicts} now={initial} />
        {save.error === null ? null : <ErrorState error={save.error} title={t.notSaved} />}
        <div className={styles.foot}>
          <CheckField
            label={t.enabled}
            checked={draft.enabled}
            onChange={(event) => change({ enabled: event.target.checked })}
          />
          <Button type="submit" look="primary" disabled={body === null || save.isBusy}>
            {known === null ? t.create : conflicts.length > 0 ? t.overwrite : t.save}
          </Button>
        </div>
      </form>
    </Page>
  )
}
