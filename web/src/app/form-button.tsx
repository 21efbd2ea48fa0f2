/** A button that opens a form; as long as it is there, the palette opens it too. */
import { type LucideIcon, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { usePaletteCommand } from './palette-commands.ts'

export type FormButtonProps = Readonly<{
  label: string
  icon?: LucideIcon
  look?: 'normal' | 'primary'
  /** The form: mostly a FormDialog. */
  children: (close: () => void) => ReactNode
}>

export const FormButton = (props: FormButtonProps) => {
  const { label, icon: Icon = Plus, look = 'primary', children } = props
  const [isOpen, setOpen] = useState(false)
  usePaletteCommand(label, () => setOpen(true))
  return (
    <>
      <Button look={look} onClick={() => setOpen(true)}>
        <Icon size={15} aria-hidden="true" />
        {label}
      </Button>
      {isOpen ? children(() => setOpen(false)) : null}
    </>
  )
}
