/** A checkbox for a row of a table, or for all rows. It is above the link that covers the row. */
import { useEffect, useRef } from 'react'
import styles from './select-box.module.css'

export type SelectBoxProps = Readonly<{
  /** Describes what it selects. */
  label: string
  isSelected: boolean
  /** Whether a part of what it represents is selected. @default false */
  isPartly?: boolean
  /** Whether nothing can be selected. @default false */
  isDisabled?: boolean
  onChange: (isSelected: boolean) => void
}>

export const SelectBox = (props: SelectBoxProps) => {
  const { label, isSelected, isPartly = false, isDisabled = false, onChange } = props
  const box = useRef<HTMLInputElement>(null)
  // HTML has no attribute for the indeterminate state
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = isPartly && !isSelected
  }, [isPartly, isSelected])
  return (
    <span className={styles.box}>
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={isSelected}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
      />
    </span>
  )
}
