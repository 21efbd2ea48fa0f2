/** The actions of one app, loaded when it is opened. */
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useMessages } from '../../../language/messages.ts'
import { actionsQuery } from '../../../live/queries.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { CheckField } from '../../../ui/form/field.tsx'
import { ErrorState, Loading } from '../../../ui/notice.tsx'
import { goneOf, withNames } from './grant-set.ts'
import styles from './grants.module.css'
import { messages } from './messages.ts'

export type AppGrantsProps = Readonly<{
  app: string
  /** All grants of the customer, as `app/action`. */
  chosen: readonly string[]
  isDeployed: boolean
  isOpen: boolean
  /** Null if the grants are read-only. */
  onChange: ((chosen: readonly string[]) => void) | null
}>

export const AppGrants = (props: AppGrantsProps) => {
  const { app, chosen } = props
  const t = useMessages(messages)
  const id = useId()
  const [isOpen, setOpen] = useState(props.isOpen)
  const own = chosen.filter((name) => name.startsWith(`${app}/`))
  return (
    <section className={styles.app} aria-labelledby={id}>
      <h2>
        <button
          id={id}
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
          {app}
          {own.length === 0 ? null : <small>{t.chosen(own.length)}</small>}
        </button>
      </h2>
      {isOpen ? <Actions {...props} own={own} /> : null}
    </section>
  )
}

const Actions = ({
  app,
  chosen,
  isDeployed,
  onChange,
  own,
}: AppGrantsProps & Readonly<{ own: readonly string[] }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const may = useMay()
  const actions = useQuery({
    ...actionsQuery(api, ws, app),
    enabled: isDeployed && may('apps:read'),
  })
  if (isDeployed && actions.data === undefined) {
    return actions.error === null ? (
      <Loading />
    ) : (
      <ErrorState error={actions.error} onRetry={actions.refetch} />
    )
  }
  const names = (actions.data?.items ?? []).map(({ key }) => `${app}/${key}`)
  const gone = goneOf(app, chosen, names)
  const set = (changed: readonly string[], isIn: boolean) =>
    onChange?.(withNames(chosen, changed, isIn))
  if (names.length === 0 && gone.length === 0) return <p className="quiet">{t.noActions}</p>
  return (
    <div className={styles.actions}>
      {names.length > 1 ? (
        <CheckField
          label={t.allOf(app)}
          checked={names.every((name) => own.includes(name))}
          disabled={onChange === null}
          onChange={(event) => set(names, event.target.checked)}
        />
      ) : null}
      {[...names, ...gone].map((name) => (
        <CheckField
          key={name}
          label={`${name.slice(app.length + 1)}${gone.includes(name) ? ` – ${t.gone}` : ''}`}
          checked={own.includes(name)}
          disabled={onChange === null}
          onChange={(event) => set([name], event.target.checked)}
        />
      ))}
    </div>
  )
}
