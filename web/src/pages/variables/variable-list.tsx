/** Variables: their keys, and the values of those that are not secret. */
import { Eye, KeyRound } from 'lucide-react'
import { useMessages } from '../../language/messages.ts'
import { useApi } from '../../session/api.ts'
import styles from './list.module.css'
import { messages } from './messages.ts'
import { SecretList } from './secret-list.tsx'
import { VariableForm } from './variable-form.tsx'

export const VariableList = () => {
  const t = useMessages(messages)
  const api = useApi()
  return (
    <SecretList
      what="variable"
      read={(signal) => api.get('/variables', { signal })}
      add={t.newVariable}
      none={{
        title: t.noVariables,
        text: t.noVariablesText,
        command: 'const key = ctx.variables.API_KEY',
      }}
      columns={[
        { header: t.kind, cell: ({ secret }) => <Kind isSecret={secret} /> },
        { header: t.value, isWideOnly: true, cell: ({ value }) => <Value value={value} /> },
      ]}
      form={(props) => <VariableForm {...props} />}
    />
  )
}

const Kind = ({ isSecret }: Readonly<{ isSecret: boolean }>) => {
  const t = useMessages(messages)
  const Icon = isSecret ? KeyRound : Eye
  return (
    <span className={styles.kind}>
      <Icon size={14} aria-hidden="true" />
      {isSecret ? t.secret : t.plain}
    </span>
  )
}

const Value = ({ value }: Readonly<{ value: string | undefined }>) => {
  const t = useMessages(messages)
  if (value === undefined) return <span className="quiet">{t.hidden}</span>
  return (
    <code className={styles.value} title={value}>
      {value}
    </code>
  )
}
