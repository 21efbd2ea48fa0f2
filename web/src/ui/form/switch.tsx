/** A switch that takes effect immediately, for settings that are as easy to undo. */
import { Switch as Base } from '@base-ui/react/switch'
import styles from './switch.module.css'

export type SwitchProps = Readonly<{
  label: string
  isOn: boolean
  onChange: (isOn: boolean) => void
  isDisabled?: boolean
}>

export const Switch = ({ label, isOn, onChange, isDisabled = false }: SwitchProps) => (
  <Base.Root
    className={styles.track}
    aria-label={label}
    checked={isOn}
    onCheckedChange={(next) => onChange(next)}
    disabled={isDisabled}
  >
    <Base.Thumb className={styles.thumb} />
  </Base.Root>
)
