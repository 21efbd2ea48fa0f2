/** The actions of a resource: a button for each, and a confirmation for those that cannot be undone. */
import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useChange } from '../session/use-change.ts'
import { Button, type ButtonLook } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { usePaletteCommand } from './palette-commands.ts'

export type Action = Readonly<{
  label: string
  icon?: LucideIcon
  look?: ButtonLook
  /** False if this person may not do it, or if it is too late. @default true */
  isOffered?: boolean
  /** The confirmation before it starts. Without one it starts at once. */
  confirm?: Readonly<{ title: string; text: string; button?: string; children?: ReactNode }>
  run: () => Promise<unknown>
  /** Prefixes of query keys to read again. */
  touches: readonly (readonly unknown[])[]
  /** Announced when it has succeeded. Leave it out if the page shows the change. */
  done?: string
  /** Announced above the server's message when it fails. */
  failed: string
  onDone?: () => void
  /** Opens another page, for example the list after a deletion. Not called if the person has left the page meanwhile. */
  leadOn?: () => void
}>

/** The buttons of a page. The palette offers the same actions. */
export const ActionButtons = ({ actions }: Readonly<{ actions: readonly Action[] }>) => {
  const { buttons, question } = useActions(actions, true)
  return (
    <>
      {buttons}
      {question}
    </>
  )
}

/**
 * @param actions only those that are offered get a button
 * @returns the buttons, and the confirmation of the one that was pressed, or null
 */
export const useActions = (actions: readonly Action[], isInPalette: boolean) => {
  const [confirming, setConfirming] = useState<string | null>(null)
  const offered = actions.filter(({ isOffered = true }) => isOffered)
  const current = offered.find(({ label }) => label === confirming)
  return {
    buttons: offered.map((action) => (
      <ActionButton
        key={action.label}
        action={action}
        onAsk={() => setConfirming(action.label)}
        isInPalette={isInPalette}
      />
    )),
    question:
      current === undefined ? null : (
        <ConfirmAction action={current} onClose={() => setConfirming(null)} />
      ),
  }
}

type ActionButtonProps = Readonly<{ action: Action; onAsk: () => void; isInPalette: boolean }>

const ActionButton = ({ action, onAsk, isInPalette }: ActionButtonProps) => {
  const { label, icon: Icon, look = 'normal', confirm, run, ...options } = action
  const change = useChange({ ...options, change: run })
  const start = confirm === undefined ? () => change.run(undefined) : onAsk
  usePaletteCommand(isInPalette ? label : null, start)
  return (
    <Button look={look} disabled={change.isBusy} onClick={start}>
      {Icon === undefined ? null : <Icon size={15} aria-hidden="true" />}
      {label}
    </Button>
  )
}

type ConfirmActionProps = Readonly<{ action: Action; onClose: () => void }>

export const ConfirmAction = ({ action, onClose }: ConfirmActionProps) => {
  const { label, confirm, run, onDone, ...options } = action
  const change = useChange({
    ...options,
    change: run,
    onDone: () => {
      onClose()
      onDone?.()
    },
  })
  if (confirm === undefined) return null
  const { title, text, button = label, children } = confirm
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={title}
      text={text}
      confirm={button}
      onConfirm={() => change.run(undefined)}
      isBusy={change.isBusy}
    >
      {children}
    </ConfirmDialog>
  )
}
