/** Variables: their keys, and the values of those that are no secret. */
import { useQuery } from '@tanstack/react-query'
import { Eye, KeyRound, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { usePaletteCommand } from '../../app/palette-commands.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useMay } from '../../session/session.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import styles from './list.module.css'
import { messages } from './messages.ts'
import { RemoveSecret } from './remove-secret.tsx'
import { VariableForm } from './variable-form.tsx'

const EVERY_MS = 10_000

type Variable = Schemas['Variable']
/** `new`, or the key that is to be replaced or deleted. */
type Asked = Readonly<{ deed: 'set' | 'remove'; variable: Variable | null }>

export const VariableList = () => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const may = useMay()('variables:write')
  const [asked, setAsked] = useState<Asked | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: [ws, 'variables'],
    queryFn: ({ signal }) => api.get('/variables', { signal }),
    refetchInterval: EVERY_MS,
  })
  const open = (): void => setAsked({ deed: 'set', variable: null })
  usePaletteCommand(may ? t.newVariable : null, open)
  if (data === undefined) {
    return error === null ? (
      <Loading />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    )
  }
  const close = (): void => setAsked(null)
  const button = (
    <Button onClick={open}>
      <Plus size={15} aria-hidden="true" />
      {t.newVariable}
    </Button>
  )
  return (
    <div className={styles.parts}>
      {data.items.length === 0 ? (
        <EmptyState
          title={t.noVariables}
          text={t.noVariablesText}
          command="const key = ctx.variables.API_KEY"
        >
          {may ? button : null}
        </EmptyState>
      ) : (
        <>
          {may ? <div className={styles.head}>{button}</div> : null}
          <VariableTable variables={data.items} onAsk={may ? setAsked : null} />
        </>
      )}
      {asked?.deed === 'set' ? (
        <VariableForm
          known={asked.variable}
          taken={data.items.map(({ key }) => key)}
          onClose={close}
        />
      ) : null}
      <RemoveSecret
        what="variable"
        name={asked?.deed === 'remove' ? (asked.variable?.key ?? null) : null}
        onClose={close}
      />
    </div>
  )
}

type TableProps = Readonly<{
  variables: readonly Variable[]
  /** Null: the reader may only look. */
  onAsk: ((asked: Asked) => void) | null
}>

const VariableTable = ({ variables, onAsk }: TableProps) => {
  const t = useMessages(messages)
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t.key}</th>
          <th scope="col">{t.kind}</th>
          <th scope="col" className={styles.wide}>
            {t.value}
          </th>
          <th scope="col" className={styles.wide}>
            {t.by}
          </th>
          <th scope="col">{t.at}</th>
          {onAsk === null ? null : <td className={styles.deeds} />}
        </tr>
      </thead>
      <tbody>
        {variables.map((variable) => (
          <tr key={variable.key}>
            <td className={styles.key}>
              <code>{variable.key}</code>
            </td>
            <td>
              <span className={styles.kind}>
                {variable.secret ? (
                  <KeyRound size={14} aria-hidden="true" />
                ) : (
                  <Eye size={14} aria-hidden="true" />
                )}
                {variable.secret ? t.secret : t.plain}
              </span>
            </td>
            <td className={`${styles.value} ${styles.wide}`} title={variable.value}>
              {variable.value === undefined ? (
                <span className={styles.quiet}>{t.hidden}</span>
              ) : (
                <code>{variable.value}</code>
              )}
            </td>
            <td className={`${styles.wide} ${styles.quiet}`}>{variable.updated_by}</td>
            <td className={styles.quiet}>
              <TimeAgo at={variable.updated_at} />
            </td>
            {onAsk === null ? null : (
              <td className={styles.deeds}>
                <IconButton
                  label={`${t.replace}: ${variable.key}`}
                  icon={<Pencil size={15} />}
                  onClick={() => onAsk({ deed: 'set', variable })}
                />
                <IconButton
                  label={`${t.remove}: ${variable.key}`}
                  icon={<Trash2 size={15} />}
                  onClick={() => onAsk({ deed: 'remove', variable })}
                />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
