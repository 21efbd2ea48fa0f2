/** The host names of an app: which are active, and how to verify the others. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import { useMay } from '../../../session/session.ts'
import { changeNow } from '../../../session/version.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { StateBadge } from '../../../ui/credential-badge.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { Card } from '../../../ui/facts.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { ErrorState, useErrorSentence } from '../../../ui/notice.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import tableStyles from '../../../ui/table/plain-table.module.css'
import { announce } from '../../../ui/toast.tsx'
import { appQuery } from '../queries.ts'
import { messages } from './host-messages.ts'
import styles from './hosts.module.css'

type Host = Schemas['AppHost']

export const HostList = ({ app }: Readonly<{ app: string }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const may = useMay()('*')
  const { data } = useQuery(appQuery(api, ws, app))
  const set = useSetHosts(app)
  if (data === undefined) return null
  const { hosts } = data
  const isPending = hosts.some(({ status }) => status === 'pending')
  return (
    <Card title={t.title}>
      {set.error === null ? null : <ErrorState error={set.error} title={t.notSaved} />}
      {hosts.length === 0 ? <p className="quiet">{t.none}</p> : null}
      {may && isPending ? <p className="quiet">{t.recordText}</p> : null}
      {hosts.length === 0 ? null : (
        <HostTable
          app={app}
          hosts={hosts}
          onRemove={(host) => set.mutate((names) => names.filter((name) => name !== host))}
        />
      )}
      {may ? (
        <AddHost
          isBusy={set.isPending}
          onAdd={async (host) => {
            await set.mutateAsync((names) => [...names, host])
          }}
        />
      ) : null}
    </Card>
  )
}

const useRefresh = (app: string): (() => Promise<void>) => {
  const ws = useWorkspace()
  return () => queryClient.invalidateQueries({ queryKey: [ws, 'app', app] })
}

/** Applies a change to the current host names, so that those that others added since stay. */
const useSetHosts = (app: string) => {
  const ws = useWorkspace()
  const api = useApi()
  const refresh = useRefresh(app)
  return useMutation({
    mutationFn: (toNext: (names: readonly string[]) => readonly string[]) =>
      changeNow(
        ws,
        (reader) => reader.get('/apps/{app}', { params: { app } }),
        ({ value, onlyAsRead: headers }) => {
          const hosts = [...toNext(value.hosts.map(({ host }) => host))]
          return api.patch('/apps/{app}', { params: { app }, body: { hosts }, headers })
        },
      ),
    onSuccess: refresh,
  })
}

type HostTableProps = Readonly<{
  app: string
  hosts: readonly Host[]
  onRemove: (host: string) => void
}>

const HostTable = ({ app, hosts, onRemove }: HostTableProps) => {
  const t = useMessages(messages)
  return (
    <table className={tableStyles.table}>
      <thead>
        <tr>
          <th scope="col">{t.host}</th>
          <th scope="col">{t.status}</th>
          <td className={tableStyles.end} />
        </tr>
      </thead>
      <tbody>
        {hosts.map((host) => (
          <HostRow key={host.host} app={app} host={host} onRemove={() => onRemove(host.host)} />
        ))}
      </tbody>
    </table>
  )
}

type HostRowProps = Readonly<{ app: string; host: Host; onRemove: () => void }>

const HostRow = ({ app, host: { host, status, ...record }, onRemove }: HostRowProps) => {
  const t = useMessages(messages)
  const may = useMay()('*')
  const [isAsking, setAsking] = useState(false)
  const verify = useVerify(app, host)
  return (
    <tr>
      <td className={styles.host}>
        <div className={styles.record}>
          <span>{host}</span>
          {status === 'pending' && may ? <TxtRecord record={record} /> : null}
        </div>
      </td>
      <td>
        {status === 'active' ? <StateBadge state="active" /> : <StatusBadge status={status} />}
      </td>
      <td className={tableStyles.end}>
        {may && status === 'pending' ? (
          <Button
            aria-label={t.verifyHost(host)}
            disabled={verify.isPending}
            onClick={() => verify.mutate()}
          >
            {t.verify}
          </Button>
        ) : null}
        {may ? (
          <Button look="quiet" aria-label={t.removeHost(host)} onClick={() => setAsking(true)}>
            {t.remove}
          </Button>
        ) : null}
        <ConfirmDialog
          isOpen={isAsking}
          onClose={() => setAsking(false)}
          title={t.removeTitle(host)}
          text={t.removeText}
          confirm={t.remove}
          onConfirm={() => {
            setAsking(false)
            onRemove()
          }}
        />
      </td>
    </tr>
  )
}

const TxtRecord = ({ record }: Readonly<{ record: Pick<Host, 'txt_name' | 'txt_value'> }>) => {
  const t = useMessages(messages)
  return (
    <>
      <span className="quiet">{t.record}</span>
      <span>
        <code>{record.txt_name}</code> <CopyButton text={record.txt_name} label={t.recordName} />
      </span>
      <span>
        <code>{record.txt_value}</code> <CopyButton text={record.txt_value} label={t.recordValue} />
      </span>
    </>
  )
}

const useVerify = (app: string, host: string) => {
  const t = useMessages(messages)
  const sentence = useErrorSentence()
  const api = useApi()
  const refresh = useRefresh(app)
  return useMutation({
    mutationFn: () => api.post('/apps/{app}/hosts/{host}/verify', { params: { app, host } }),
    onSuccess: async ({ problem }) => {
      if (problem === null) announce({ title: t.verified, text: host })
      else announce({ tone: 'bad', title: t.stillPending, text: problem })
      await refresh()
    },
    onError: (error) => announce({ tone: 'bad', title: t.notVerified, text: sentence(error) }),
  })
}

type AddHostProps = Readonly<{ isBusy: boolean; onAdd: (host: string) => Promise<void> }>

const AddHost = ({ isBusy, onAdd }: AddHostProps) => {
  const t = useMessages(messages)
  const [host, setHost] = useState('')
  const add = (): void =>
    // a refused host name stays as typed, and the card shows the reason
    void onAdd(host.trim()).then(
      () => setHost(''),
      () => undefined,
    )
  return (
    <form
      className={styles.add}
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <TextField isExact label={t.host} hint={t.addHint} value={host} onText={setHost} />
      <Button type="submit" disabled={isBusy || host.trim() === ''}>
        {t.add}
      </Button>
    </form>
  )
}
