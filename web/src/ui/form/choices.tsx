/** A selection of one among a few options, each with a sentence about its effect. */
import { useId } from 'react'
import styles from './choices.module.css'

export type ChoicesProps<Value extends string> = Readonly<{
  label: string
  value: Value
  onChange: (value: Value) => void
  options: readonly Readonly<{ value: Value; label: string; hint: string }>[]
  isDisabled?: boolean
}>

export const Choices = <Value extends string>({
  label,
  value,
  onChange,
  options,
  isDisabled = false,
}: ChoicesProps<Value>) => {
  const name = useId()
  return (
    <fieldset className={styles.choices} disabled={isDisabled}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.choice}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>
            <strong>{option.label}</strong>
            <span className={styles.hint}>{option.hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
