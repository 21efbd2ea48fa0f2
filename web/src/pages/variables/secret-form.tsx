/** Sets a variable or a resource. The typed value is sent and not kept. */

import type { ReactNode } from 'react'
import { useKeptState } from '../../form/use-kept-state.ts'
import { ChangedNotice } from '../../kit/changed-notice.tsx'
import { ActionDialog } from '../../kit/dialog.tsx'
import { useMessages } from '../../language/messages.ts'
import { useWorkspace } from '../../session/api.ts'
import { onlyAsRead } from '../../session/version.ts'
import type { Fact } from '../../ui/facts.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { messages } from './messages.ts'

// the server's own check, applied in the browser first
const KEY_PATTERN = '[A-Za-z_][A-Za-z0-9_.\\-]*'
const MAX_KEY_LENGTH = 128

type Secret = Readonly<{ key: string; updated_by: string; updated_at: string }>

export type SecretFormProps<Item> = Readonly<{
  /** As it was when the form was opened. Null to create one. */
  known: Item | null
  /** All of them, as they are now. */
  items: readonly Item[]
  onClose: () => void
}>

type Props<Item> = SecretFormProps<Item> &
  Readonly<{
    what: 'variable' | 'resource'
    /** The title for a new one. */
    add: string
    /** Shown if another person has changed it meanwhile. */
    facts: (item: Item) => readonly Fact[]
    /** Saves it with headers that refuse to replace what this form has not shown. */
    save: (key: string, headers: Readonly<Record<string, string>>) => Promise<unknown>
    onSaved?: () => void
    isComplete?: boolean
    /** Below the key. */
    children: ReactNode
  }>

export const SecretForm = <Item extends Secret>(props: Props<Item>) => {
  const { known, items, onClose, what, add, facts, save, onSaved } = props
  const { isComplete = true, children } = props
  const t = useMessages(messages)
  const ws = useWorkspace()
  const [typed, setKey, forget] = useKeptState(`new ${what} ${ws}`, '')
  const key = known?.key ?? typed
  const now = items.find((item) => item.key === key)
  const isChanged = known !== null && now?.updated_at !== known.updated_at
  return (
    <ActionDialog
      onClose={onClose}
      title={known === null ? add : t.replaceTitle(known.key)}
      send={isChanged && now !== undefined ? t.overwrite : t.save}
      run={() => save(key, onlyAsRead(now))}
      isComplete={isComplete}
      touches={[[ws, `${what}s`]]}
      done={t.saved(key)}
      onDone={() => {
        if (known === null) forget()
        onSaved?.()
        onClose()
      }}
      failed={t.notSaved}
    >
      {isChanged ? (
        <ChangedNotice
          now={
            now === undefined
              ? null
              : [
                  ...facts(now),
                  [t.by, now.updated_by],
                  [t.at, <TimeAgo key="at" at={now.updated_at} />],
                ]
          }
        />
      ) : null}
      {known === null ? (
        <TextField
          isExact
          label={t.key}
          hint={now === undefined ? t.keyHint : t.exists}
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
