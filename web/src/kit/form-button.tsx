/** A button that opens a form. While it is mounted, the palette opens the form too. */
import { type LucideIcon, Plus } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type Need, useMay } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { usePaletteCommand } from './palette-commands.ts'

export type FormButtonProps = Readonly<{
  label: string
  /** Null for no icon. @default a plus */
  icon?: LucideIcon | null
  look?: 'normal' | 'primary' | 'quiet'
  /** The button is shown only with this scope. */
  need?: Need
  /** The form, usually a FormDialog. */
  children: (close: () => void) => ReactNode
}>

export const FormButton = (props: FormButtonProps) => {
  const { label, icon: Icon = Plus, look = 'primary', need, children } = props
  const may = useMay()(need)
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  // a form that a second dialog has replaced does not return the focus itself
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) {
      button.current?.focus()
    }
    wasOpen.current = isOpen
  }, [isOpen])
  usePaletteCommand(may ? label : null, () => setOpen(true))
  if (!may) return null
  return (
    <>
      <Button ref={button} look={look} onClick={() => setOpen(true)}>
        {Icon === null ? null : <Icon size={15} aria-hidden="true" />}
        {label}
      </Button>
      {isOpen ? children(() => setOpen(false)) : null}
    </>
  )
}
