/** Menus: a button that opens a list of actions, or of options of which one is selected. */
import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './menu.module.css'

export type MenuProps = Readonly<{
  label: string
  /** The content of the button. */
  button: ReactNode
  className: string
  children: ReactNode
}>

export const Menu = ({ label, button, className, children }: MenuProps) => (
  <Base.Root>
    <Base.Trigger className={className} aria-label={label}>
      {button}
    </Base.Trigger>
    <Base.Portal>
      <Base.Positioner className={styles.positioner} sideOffset={4} align="start">
        <Base.Popup className={styles.popup}>{children}</Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)

export const MenuItem = ({
  children,
  onSelect,
}: Readonly<{ children: ReactNode; onSelect: () => void }>) => (
  <Base.Item className={styles.item} onClick={onSelect}>
    {children}
  </Base.Item>
)

export const MenuSeparator = () => <Base.Separator className={styles.separator} />

export type MenuChoiceProps<Value extends string> = Readonly<{
  label: string
  value: Value
  onChange: (value: Value) => void
  options: readonly Readonly<{ value: Value; label: string }>[]
}>

export const MenuChoice = <Value extends string>({
  label,
  value,
  onChange,
  options,
}: MenuChoiceProps<Value>) => (
  <Base.Group>
    <Base.GroupLabel className={styles.label}>{label}</Base.GroupLabel>
    <Base.RadioGroup value={value} onValueChange={(chosen: Value) => onChange(chosen)}>
      {options.map((option) => (
        <Base.RadioItem
          key={option.value}
          value={option.value}
          className={styles.item}
          closeOnClick
        >
          <span className={styles.mark}>
            <Base.RadioItemIndicator>
              <Check size={15} />
            </Base.RadioItemIndicator>
          </span>
          {option.label}
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  </Base.Group>
)
