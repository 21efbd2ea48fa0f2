/**
 * The actions that a customer may run, none by default. They are saved in one step, and a reload keeps what was changed. Only that
 * is kept and saved, so that the changes of other people stay.
 */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { useKeptState } from '../../../form/use-kept-state.ts'
import { allAppsQuery } from '../../../kit/target-names.ts'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import { useMay } from '../../../session/session.ts'
import { useChange } from '../../../session/use-change.ts'
import { changeNow } from '../../../session/version.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorState, Loading } from '../../../ui/notice.tsx'
import { Filters, TextFilter } from '../../../ui/table/filters.tsx'
import { AppGrants } from './app-grants.tsx'
import { editsBetween, fromText, grantName, toGrants, toText, withEdits } from './grant-set.ts'
import styles from './grants.module.css'
import { messages } from './messages.ts'

/** Up to this many apps are shown open. */
const FEW_APPS = 3
const MANY_APPS = 8
const UNCHANGED = toText([])

export const Grants = ({ customer }: Readonly<{ customer: Schemas['Consumer'] }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const may = useMay()
  const { id } = customer
  const saved = customer.grants.map(grantName)
  const [text, setText] = useKeptState(`grants ${ws} ${id}`, UNCHANGED)
  const chosen = withEdits(saved, fromText(text))
  const edits = editsBetween(saved, chosen)
  const [find, setFind] = useState('')
  const apps = useQuery({
    ...allAppsQuery(api, ws),
    select: ({ items }) => items,
    enabled: may('apps:read'),
  })
  const save = useChange({
    change: () =>
      changeNow(
        ws,
        (reader) => reader.get('/consumers/{id}', { params: { id } }),
        ({ value, onlyAsRead: headers }) => {
          const grants = toGrants(withEdits(value.grants.map(grantName), edits))
          const body = { grants: [...grants] }
          return api.put('/consumers/{id}/grants', { params: { id }, body, headers })
        },
      ),
    touches: [[ws, 'consumers']],
    done: t.saved,
    onDone: (changed) => {
      queryClient.setQueryData([ws, 'consumers', id], changed)
      setText(UNCHANGED)
    },
  })
  if (apps.data === undefined && may('apps:read')) {
    // without them, actions that exist would be called gone
    return apps.error === null ? (
      <Loading />
    ) : (
      <ErrorState error={apps.error} onRetry={apps.refetch} />
    )
  }
  const mayChange = may('consumers:write')
  // deleted apps are listed too, so that their grants can be removed
  const names = [
    ...new Set([
      ...(apps.data ?? []).map(({ key }) => key),
      ...toGrants(chosen).map(({ app }) => app),
    ]),
  ].sort()
  const found = names.filter((name) => name.includes(find.trim().toLowerCase()))
  return (
    <div className="stack-3">
      <p className="quiet">{t.deny}</p>
      {save.error === null ? null : <ErrorState error={save.error} title={t.notSaved} />}
      {names.length > MANY_APPS ? (
        <Filters onClear={null}>
          <TextFilter label={t.find} value={find} onChange={setFind} />
        </Filters>
      ) : null}
      {apps.isSuccess && names.length === 0 ? <p>{t.noApps}</p> : null}
      {found.map((app) => (
        <AppGrants
          key={app}
          app={app}
          chosen={chosen}
          isDeployed={apps.data?.some(({ key }) => key === app) ?? false}
          isOpen={names.length <= FEW_APPS || chosen.some((name) => name.startsWith(`${app}/`))}
          onChange={mayChange ? (next) => setText(toText(editsBetween(saved, next))) : null}
        />
      ))}
      {mayChange ? (
        <div className={styles.foot}>
          <span>{t.chosen(chosen.length)}</span>
          <Button disabled={edits.length === 0} onClick={() => setText(UNCHANGED)}>
            {t.reset}
          </Button>
          <Button
            look="primary"
            disabled={edits.length === 0 || save.isBusy}
            onClick={() => save.run(undefined)}
          >
            {t.save}
          </Button>
        </div>
      ) : null}
    </div>
  )
}
