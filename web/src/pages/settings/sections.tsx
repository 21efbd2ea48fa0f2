/** The sections of the side bar. Admins can hide unused ones. Each switch saves at once. */
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useMay } from '../../session/session.ts'
import { useChange } from '../../session/use-change.ts'
import { Card } from '../../ui/facts.tsx'
import { Switch } from '../../ui/form/switch.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

type Section = Schemas['Workspace']['hidden_sections'][number]

/** The texts of the sections, in the order of the side bar. */
const TEXTS = {
  webhooks: 'webhooks',
  git_sources: 'gitSources',
  drafts: 'drafts',
  api_keys: 'apiKeys',
  customers: 'customers',
  parser: 'parser',
  certificates: 'certificateRelay',
  billing: 'billing',
} as const satisfies Readonly<Record<Section, string>>

const NAMES: readonly Section[] = [
  'webhooks',
  'git_sources',
  'drafts',
  'api_keys',
  'customers',
  'parser',
  'certificates',
  'billing',
]

export const Sections = ({ hidden }: Readonly<{ hidden: readonly Section[] }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const mayChange = useMay()('workspace:write')
  const save = useChange({
    // changes the current list: the shown one may be older than the last switch, or than a change by another admin
    change: async ({ name, isOn }: Readonly<{ name: Section; isOn: boolean }>) => {
      const now = (await api.get('/workspace')).hidden_sections
      const others = now.filter((each) => each !== name)
      const sections = isOn ? others : [...others, name]
      return api.patch('/workspace', { body: { hidden_sections: sections } })
    },
    touches: [
      [ws, 'workspace'],
      [ws, 'whoami'],
    ],
    failed: t.notSaved,
  })
  return (
    <Card title={t.sections}>
      <p className="quiet">{t.sectionsText}</p>
      <ul className={styles.sections}>
        {NAMES.map((name) => (
          <li key={name}>
            <span>{t[TEXTS[name]]}</span>
            <Switch
              label={t[TEXTS[name]]}
              isOn={!hidden.includes(name)}
              isDisabled={!mayChange || save.isBusy}
              onChange={(isOn) => save.run({ name, isOn })}
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}
