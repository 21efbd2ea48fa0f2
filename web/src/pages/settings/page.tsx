import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ApiError, type Schemas } from '#sdk/client.ts'
import { parseJson } from '../../form/schema-form.tsx'
import { useKeptState } from '../../form/use-kept-state.ts'
import { Loaded } from '../../kit/detail-page.tsx'
import { useFormat } from '../../language/format.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi } from '../../session/api.ts'
import { queryClient } from '../../session/query-client.ts'
import { useMay } from '../../session/session.ts'
import { useChange } from '../../session/use-change.ts'
import { Button } from '../../ui/button.tsx'
import { CommandLine } from '../../ui/command-line.tsx'
import { Card, Facts } from '../../ui/facts.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { FormColumn } from '../../ui/form/form-column.tsx'
import { isObject } from '../../ui/json-object.ts'
import { ErrorState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ShortTime } from '../../ui/time.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'
import { Sections } from './sections.tsx'

const route = getRouteApi('/w/$ws/settings')

export const SettingsPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const api = useApi()
  const query = useQuery({
    queryKey: [ws, 'workspace'],
    queryFn: ({ signal }) => api.get('/workspace', { signal }),
  })
  return (
    <Page title={t.settings}>
      <div className="reading">
        <Loaded query={query}>
          {(data) => (
            <>
              <WorkspaceForm key={data.id} workspace={data} />
              <Sections hidden={data.hidden_sections} />
            </>
          )}
        </Loaded>
        <Storage />
        <Server />
      </div>
    </Page>
  )
}

const faultOf = (error: Error | null, field: string): string | undefined =>
  error instanceof ApiError
    ? error.details.find(({ path }) => path === `body.${field}`)?.message
    : undefined

type Typed = Readonly<{ name: string; tag: string; handler: string }>

const typedOf = (workspace: Schemas['Workspace']): Typed => ({
  name: workspace.name,
  tag: workspace.default_tag,
  handler: workspace.error_handler ?? '',
})

const UNCHANGED = '{}'

/** Reads what was typed before a reload. */
const readTyped = (kept: string): Partial<Typed> => {
  const value = parseJson(kept)
  if (!isObject(value)) return {}
  const texts = Object.entries(value).filter(([, text]) => typeof text === 'string')
  return Object.fromEntries(texts)
}

/** Returns only what differs, so that a save undoes no change of another admin. */
const changesOf = ({ name, tag, handler }: Typed, workspace: Schemas['Workspace']) => {
  const stored = typedOf(workspace)
  return {
    ...(name.trim() === stored.name ? {} : { name: name.trim() }),
    ...(tag.trim() === stored.tag ? {} : { default_tag: tag.trim() }),
    ...(handler.trim() === stored.handler
      ? {}
      : { error_handler: handler.trim() === '' ? null : handler.trim() }),
  }
}

const WorkspaceForm = ({ workspace }: Readonly<{ workspace: Schemas['Workspace'] }>) => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const api = useApi()
  const may = useMay()
  const [kept, keep] = useKeptState(`settings ${ws}`, UNCHANGED)
  const typed = readTyped(kept)
  const setTyped = (next: Partial<Typed>): void => keep(JSON.stringify(next))
  const { name, tag, handler } = { ...typedOf(workspace), ...typed }
  const changes = changesOf({ name, tag, handler }, workspace)
  const save = useChange({
    change: () => api.patch('/workspace', { body: changes }),
    touches: [[ws, 'workspace'], ['workspaces']],
    done: t.saved,
    onDone: (saved) => {
      queryClient.setQueryData([ws, 'workspace'], saved)
      setTyped({})
    },
  })
  const mayChange = may('workspace:write')
  return (
    <Card title={t.workspace}>
      <FormColumn onSubmit={() => save.run(undefined)}>
        {workspace.suspended ? <p className="warning">{t.suspended}</p> : null}
        {save.error === null ? null : <ErrorState error={save.error} title={t.notSaved} />}
        <Facts
          facts={[
            [
              t.id,
              <span key="id" title={t.idHint}>
                <code>{workspace.id}</code>
              </span>,
            ],
            [t.created, <ShortTime key="created" at={workspace.created_at} />],
          ]}
        />
        <TextField
          label={t.name}
          isRequired
          maxLength={200}
          disabled={!mayChange}
          fault={faultOf(save.error, 'name')}
          value={name}
          onText={(text) => setTyped({ ...typed, name: text })}
        />
        <TextField
          label={t.tag}
          hint={t.tagHint}
          isRequired
          maxLength={64}
          pattern="[A-Za-z0-9_.\-]{1,64}"
          disabled={!mayChange}
          fault={faultOf(save.error, 'default_tag')}
          value={tag}
          onText={(text) => setTyped({ ...typed, tag: text })}
        />
        <TextField
          label={t.handler}
          hint={t.handlerHint}
          placeholder="ops/tell"
          disabled={!mayChange}
          fault={faultOf(save.error, 'error_handler')}
          value={handler}
          onText={(text) => setTyped({ ...typed, handler: text })}
        />
        {mayChange ? (
          <div>
            <Button
              type="submit"
              look="primary"
              disabled={Object.keys(changes).length === 0 || save.isBusy}
            >
              {t.save}
            </Button>
          </div>
        ) : (
          <p className="quiet">{t.onlyAdmins}</p>
        )}
      </FormColumn>
    </Card>
  )
}

const BYTES_PER_MIB = 1_048_576

const Storage = () => {
  const t = useMessages(messages)
  const { number } = useFormat()
  const { ws } = route.useParams()
  const api = useApi()
  const { data } = useQuery({
    queryKey: [ws, 'workspace', 'usage'],
    queryFn: ({ signal }) => api.get('/workspace/usage', { signal }),
  })
  if (data === undefined) return null
  const inMib = (bytes: number): string => `${number(Math.ceil(bytes / BYTES_PER_MIB))} MiB`
  const { stored_bytes, max_stored_bytes, measured_at } = data
  return (
    <Card title={t.storage}>
      <Facts
        facts={[
          [t.stored, inMib(stored_bytes)],
          [t.quota, max_stored_bytes === null ? t.noQuota : inMib(max_stored_bytes)],
          [t.measured, <ShortTime key="measured" at={measured_at} />],
        ]}
      />
      {max_stored_bytes === null ? null : (
        <meter
          className={styles.meter}
          aria-label={t.storage}
          max={max_stored_bytes}
          high={max_stored_bytes * NEARLY_FULL}
          value={stored_bytes}
        />
      )}
      <p className="quiet">{t.storageHint}</p>
    </Card>
  )
}

/** The share of the quota from which the bar warns. */
const NEARLY_FULL = 0.8

const Server = () => {
  const t = useMessages(messages)
  const { number } = useFormat()
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['config'],
    queryFn: ({ signal }) => api.get('/api/config', { signal }),
  })
  if (data === undefined) return null
  const { version, job_retention_days: days, max_body_bytes } = data
  return (
    <Card title={t.server}>
      <Facts
        facts={[
          [t.version, version],
          [t.retention, days === 0 ? t.forEver : t.days(days)],
          [t.body, `${number(max_body_bytes / BYTES_PER_MIB)} MiB`],
        ]}
      />
      <p className="quiet">{t.setBy}</p>
      <CommandLine command="svc config" />
    </Card>
  )
}
