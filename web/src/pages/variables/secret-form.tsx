/** Sets a variable or a resource. The typed value is sent and not kept. */

import { type ReactNode, useState } from 'react'
import { ActionDialog } from '../../kit/dialog.tsx'
import { useMessages } from '../../language/messages.ts'
import { useWorkspace } from '../../session/api.ts'
import { TextField } from '../../ui/form/field.tsx'
import { messages } from './messages.ts'

// the server's own check, applied in the browser first
const KEY_PATTERN = '[A-Za-z_][A-Za-z0-9_.\\-]*'
const MAX_KEY_LENGTH = 128

export type SecretFormProps<Item> = Readonly<{
  /** Null to create one. */
  known: Item | null
  taken: readonly string[]
  onClose: () => void
}>

type Props = SecretFormProps<Readonly<{ key: string }>> &
  Readonly<{
    what: 'variable' | 'resource'
    /** The title for a new one. */
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
  return (
    <ActionDialog
      onClose={onClose}
      title={known === null ? add : t.replaceTitle(known.key)}
      send={t.save}
      run={() => save(key)}
      isComplete={isComplete}
      touches={[[ws, `${what}s`]]}
      done={t.saved(key)}
      onDone={onClose}
      failed={t.notSaved}
    >
      {known === null ? (
        <TextField
          isExact
          label={t.key}
          hint={taken.includes(key) ? t.exists : t.keyHint}
          isRequired
          pattern={KEY_PATTERN}
          maxLength={MAX_KEY_LENGTH}
          value={key}
          onText={setKey}
        />
      ) : (
        <p>{t.replaceText}</p>
      )}
      {children}
    </ActionDialog>
  )
}
