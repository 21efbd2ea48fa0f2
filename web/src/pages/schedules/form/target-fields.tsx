/** Selects the action or flow, and its app. */
import { Loaded } from '../../../kit/detail-page.tsx'
import { useMessages } from '../../../language/messages.ts'
import { CommandLine } from '../../../ui/command-line.tsx'
import { SelectField } from '../../../ui/form/field.tsx'
import type { Draft } from './draft.ts'
import { messages } from './messages.ts'
import styles from './page.module.css'
import type { Targets } from './use-targets.ts'

export type TargetFieldsProps = Readonly<{
  draft: Draft
  targets: Targets
  onChange: (change: Partial<Draft>) => void
}>

/** The current target of a schedule stays in the list, even if it is no longer deployed. */
const withOwn = (keys: readonly string[] = [], own: string): readonly string[] =>
  own === '' || keys.includes(own) ? keys : [own, ...keys]

export const TargetFields = ({ draft, targets, onChange }: TargetFieldsProps) => {
  const t = useMessages(messages)
  const { app, kind, target } = draft
  const options = (keys: readonly string[]) => [
    { value: '', label: t.choose },
    ...keys.map((key) => ({ value: key, label: key })),
  ]
  if (targets.failed !== undefined) return <Loaded query={targets.failed}>{() => null}</Loaded>
  if (targets.apps?.length === 0 && app === '') {
    return (
      <>
        <p>{t.noApps}</p>
        <CommandLine command="svc init my-app && cd my-app && svc deploy" />
      </>
    )
  }
  return (
    <div className={styles.row}>
      <SelectField
        label={t.app}
        isRequired
        value={app}
        onChange={(next) => onChange({ app: next, target: '', input: '{}' })}
        options={options(withOwn(targets.apps, app))}
      />
      <SelectField
        label={t.kind}
        value={kind}
        onChange={(next) =>
          onChange({ kind: next === 'flow' ? 'flow' : 'action', target: '', input: '{}' })
        }
        options={[
          { value: 'action', label: t.action },
          { value: 'flow', label: t.flow },
        ]}
      />
      <SelectField
        label={kind === 'flow' ? t.flow : t.action}
        isRequired
        value={target}
        onChange={(next) => onChange({ target: next, input: '{}' })}
        options={options(withOwn(targets.keys, target))}
        {...(app !== '' && targets.keys?.length === 0 ? { hint: t.noneOfKind } : {})}
      />
    </div>
  )
}
