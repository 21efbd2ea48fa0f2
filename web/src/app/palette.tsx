/** Everything by typing: pages, the actions of this page, other workspaces, a job by its id. */
import { Autocomplete } from '@base-ui/react/autocomplete'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { usePaletteCommands } from '../kit/palette-commands.ts'
import { useLanguage } from '../language/language.ts'
import { defineMessages, useMessages } from '../language/messages.ts'
import { useWorkspace } from '../session/api.ts'
import { useMay, workspacesQuery } from '../session/session.ts'
import { setTheme } from '../theme/theme.ts'
import { Dialog } from '../ui/dialog.tsx'
import { NAVIGATION } from './navigation.ts'
import styles from './palette.module.css'
import { useSignOut } from './user-menu.tsx'

const messages = defineMessages({
  title: { en: 'Command menu', ko: '명령 메뉴' },
  hint: { en: 'Search pages, commands or a job ID', ko: '페이지, 명령, 작업 ID 검색' },
  none: { en: 'No results', ko: '일치하는 항목이 없습니다.' },
  page: { en: 'Page', ko: '페이지' },
  here: { en: 'On this page', ko: '이 페이지에서' },
  workspace: { en: 'Workspace', ko: '워크스페이스' },
  setting: { en: 'Setting', ko: '설정' },
  job: { en: 'Open this job', ko: '이 작업 열기' },
  light: { en: 'Light theme', ko: '밝은 테마' },
  dark: { en: 'Dark theme', ko: '어두운 테마' },
})

type Item = Readonly<{ id: string; label: string; kind: string; run: () => void }>

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const useItems = (typed: string): readonly Item[] => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const may = useMay()
  const language = useLanguage()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const commands = usePaletteCommands()
  const { data: workspaces = [] } = useQuery(workspacesQuery)
  const id = typed.trim()
  return [
    ...(UUID.test(id) && may('jobs:read')
      ? [
          {
            id: 'job',
            label: id,
            kind: t.job,
            run: () => void navigate({ to: '/w/$ws/jobs/$id', params: { ws, id } }),
          },
        ]
      : []),
    ...commands.map(({ label, run }) => ({ id: `here ${label}`, label, kind: t.here, run })),
    ...NAVIGATION.filter(({ need }) => may(need)).map(({ to, label }) => ({
      id: to,
      label: label[language],
      kind: t.page,
      run: () => void navigate({ to, params: { ws } }),
    })),
    ...workspaces
      .filter((each) => each.id !== ws)
      .map((each) => ({
        id: `workspace ${each.id}`,
        label: each.id,
        kind: t.workspace,
        run: () => void navigate({ to: '/w/$ws', params: { ws: each.id } }),
      })),
    { id: 'light', label: t.light, kind: t.setting, run: () => setTheme('light') },
    { id: 'dark', label: t.dark, kind: t.setting, run: () => setTheme('dark') },
    { id: 'out', label: t.signOut, kind: t.setting, run: () => void signOut() },
  ]
}

export const Palette = ({
  isOpen,
  onClose,
}: Readonly<{ isOpen: boolean; onClose: () => void }>) => {
  const t = useMessages(messages)
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t.title}>
      <Choices onClose={onClose} />
    </Dialog>
  )
}

const Choices = ({ onClose }: Readonly<{ onClose: () => void }>) => {
  const t = useMessages(messages)
  const [typed, setTyped] = useState('')
  const items = useItems(typed)
  return (
    <Autocomplete.Root
      inline
      open
      items={items}
      value={typed}
      onValueChange={setTyped}
      itemToStringValue={(item: Item) => item.label}
      autoHighlight="always"
    >
      <Autocomplete.Input className={styles.input} placeholder={t.hint} aria-label={t.title} />
      <Autocomplete.Empty>
        <p className={styles.none}>{t.none}</p>
      </Autocomplete.Empty>
      <Autocomplete.List className={styles.list}>
        {(item: Item) => (
          <Autocomplete.Item
            key={item.id}
            value={item}
            className={styles.item}
            onClick={() => {
              onClose()
              item.run()
            }}
          >
            {item.label}
            <span className="hint">{item.kind}</span>
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  )
}
