/** The actions that a customer may run, none by default. They are saved in one step, and a reload keeps the selection. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { useKeptState } from '../../../form/use-kept-state.ts'
import { allAppsQuery } from '../../../kit/target-names.ts'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { useChange } from '../../../session/use-change.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorState, Loading } from '../../../ui/notice.tsx'
import { Filters, TextFilter } from '../../../ui/table/filters.tsx'
import { AppGrants } from './app-grants.tsx'
import { fromText, grantName, toGrants, toText } from './grant-set.ts'
import styles from './grants.module.css'
import { messages } from './messages.ts'

/** Up to this many apps are shown open. */
const FEW_APPS = 3
const MANY_APPS = 8

export const Grants = ({ customer }: Readonly<{ customer: Schemas['Consumer'] }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const may = useMay()
  const { id } = customer
  const saved = toText(customer.grants.map(grantName))
  const [text, setText, forget] = useKeptState(`grants ${ws} ${id}`, saved)
  const [find, setFind] = useState('')
  const apps = useQuery({
    ...allAppsQuery(api, ws),
    select: ({ items }) => items,
    enabled: may('apps:read'),
  })
  const save = useChange({
    change: (grants: ReturnType<typeof toGrants>) =>
      api.put('/consumers/{id}/grants', { params: { id }, body: { grants: [...grants] } }),
    touches: [[ws, 'consumers']],
    done: t.saved,
    onDone: forget,
  })
  const chosen = fromText(text)
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
      {apps.isPending && may('apps:read') ? <Loading /> : null}
      {apps.isSuccess && names.length === 0 ? <p>{t.noApps}</p> : null}
      {found.map((app) => (
        <AppGrants
          key={app}
          app={app}
          chosen={chosen}
          isDeployed={apps.data?.some(({ key }) => key === app) ?? false}
          isOpen={names.length <= FEW_APPS || chosen.some((name) => name.startsWith(`${app}/`))}
          onChange={mayChange ? (next) => setText(toText(next)) : null}
        />
      ))}
      {mayChange ? (
        <div className={styles.foot}>
          <span>{t.chosen(chosen.length)}</span>
          <Button disabled={text === saved} onClick={() => setText(saved)}>
            {t.reset}
          </Button>
          <Button
            look="primary"
            disabled={text === saved || save.isBusy}
            onClick={() => save.run(toGrants(chosen))}
          >
            {t.save}
          </Button>
        </div>
      ) : null}
    </div>
  )
}
