/** Sets a variable or a resource. What is typed is sent and forgotten. */
import { type ReactNode, useState } from 'react'
import { useMessages } from '../../language/messages.ts'
import { useWorkspace } from '../../session/api.ts'
import { useChange } from '../../session/use-change.ts'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { messages } from './messages.ts'

// as the server has it, so that the browser says it first
const KEY_PATTERN = '[A-Za-z_][A-Za-z0-9_.\\-]*'
const MAX_KEY_LENGTH = 128

export type SecretFormProps<Item> = Readonly<{
  /** Null: a new one. */
  known: Item | null
  taken: readonly string[]
  onClose: () => void
}>

type Props = SecretFormProps<Readonly<{ key: string }>> &
  Readonly<{
    what: 'variable' | 'resource'
    /** Title of a new one. */
    add: string
    save: (key: string) => Promise<unknown>
    isComplete?: boolean
    /** Below the key. */
    children: ReactNode
  }>

export const SecretForm = (props: Props) => {
  const { known, taken, onClose, what, add, save, isComplete = true, children } = props
  const t = useMessages(messages)
  const ws = useWorkspace()
  const [key, setKey] = useState(known?.key ?? '')
  const change = useChange({
    change: () => save(key),
    touches: [[ws, `${what}s`]],
    done: t.saved(key),
    onDone: onClose,
  })
  return (
    <FormDialog
      onClose={onClose}
      title={known === null ? add : t.replaceTitle(known.key)}
      send={t.save}
      onSend={() => change.run(undefined)}
      isDisabled={change.isBusy || !isComplete}
      error={change.error}
      failed={t.notSaved}
    >
      {known === null ? (
        <TextField
          label={t.key}
          hint={taken.includes(key) ? t.exists : t.keyHint}
          isRequired
          pattern={KEY_PATTERN}
          maxLength={MAX_KEY_LENGTH}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
      ) : (
        <p>{t.replaceText}</p>
      )}
      {children}
    </FormDialog>
  )
}
