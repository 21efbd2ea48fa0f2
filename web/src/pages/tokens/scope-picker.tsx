/** Selects the scopes of a token, each with the server's description. */
import { useMessages } from '../../language/messages.ts'
import { Button } from '../../ui/button.tsx'
import { messages } from './messages.ts'
import {
  EVERYTHING,
  groupScopes,
  mayGive,
  PRESETS,
  presetOf,
  presetScopes,
  type ScopeEntry,
} from './scope-groups.ts'
import styles from './scope-picker.module.css'

export type ScopePickerProps = Readonly<{
  entries: readonly ScopeEntry[]
  /** The scopes of the caller. */
  own: readonly string[]
  chosen: readonly string[]
  onChange: (scopes: readonly string[]) => void
}>

export const ScopePicker = ({ entries, own, chosen, onChange }: ScopePickerProps) => {
  const t = useMessages(messages)
  const current = presetOf(chosen, entries, own)
  const presets = PRESETS.filter((preset) => preset !== 'all' || mayGive(own, EVERYTHING))
  return (
    <fieldset className={styles.picker}>
      <legend>{t.scopes}</legend>
      <div className={styles.presets}>
        <span className={styles.hint}>{t.presets}</span>
        {presets.map((preset) => (
          <Button
            key={preset}
            aria-pressed={preset === current}
            onClick={() => onChange(presetScopes(preset, entries, own))}
          >
            {t.preset(preset)}
          </Button>
        ))}
      </div>
      {chosen.includes(EVERYTHING) ? (
        <p className="warning">{t.allNote}</p>
      ) : (
        <ScopeList entries={entries} own={own} chosen={chosen} onChange={onChange} />
      )}
    </fieldset>
  )
}

const ScopeList = ({ entries, own, chosen, onChange }: ScopePickerProps) => {
  const toggle = (scope: string) =>
    onChange(chosen.includes(scope) ? chosen.filter((each) => each !== scope) : [...chosen, scope])
  return (
    <div className={styles.groups}>
      {groupScopes(entries, own).map(({ noun, entries: found }) => (
        <div key={noun} className={styles.group}>
          {found.map(({ scope, description }) => (
            <label key={scope} className={styles.scope}>
              <input
                type="checkbox"
                checked={chosen.includes(scope)}
                onChange={() => toggle(scope)}
              />
              <code>{scope}</code>
              <span className={styles.hint}>{description}</span>
            </label>
          ))}
        </div>
      ))}
    </div>
  )
}
