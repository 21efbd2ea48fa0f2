/** The side bar. In a narrow window it is a bar at the top that opens over the page. */
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { Menu, Search, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { isCommand } from '../browser/keys.ts'
import { isApple } from '../browser/platform.ts'
import { useLanguage } from '../language/language.ts'
import { defineMessages, useMessages } from '../language/messages.ts'
import { useWorkspace } from '../session/api.ts'
import { useHiddenSections, useMay } from '../session/session.ts'
import { buttonClass, IconButton } from '../ui/button.tsx'
import {
  GROUPS,
  type GroupName,
  NAVIGATION,
  type NavigationEntry,
  sectionOf,
} from './navigation.ts'
import { Palette } from './palette.tsx'
import { ShortcutHelp } from './shortcut-help.tsx'
import { useShortcut } from './shortcuts.ts'
import styles from './sidebar.module.css'
import { UserMenu } from './user-menu.tsx'
import { WaitingCount } from './waiting-count.tsx'
import { WorkspaceMenu } from './workspace-menu.tsx'

const messages = defineMessages({
  navigation: { en: 'Pages', ko: '페이지' },
  open: { en: 'Open menu', ko: '메뉴 열기' },
  close: { en: 'Close menu', ko: '메뉴 닫기' },
  search: { en: 'Go to …', ko: '검색 …' },
})

const GROUP_NAMES: readonly GroupName[] = ['work', 'build', 'access', 'more']

export const Sidebar = () => {
  const t = useMessages(messages)
  const [isOpen, setOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // close it, because it covers the page that was chosen in it
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path closes the side bar
  useEffect(() => setOpen(false), [path])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!isCommand(event, 'k')) return
      event.preventDefault()
      setPaletteOpen((open) => !open)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])

  return (
    <div className={styles.bar} data-open={isOpen ? '' : undefined}>
      <div className="row">
        <WorkspaceMenu className={styles.workspace ?? ''} nameClass={styles.name ?? ''} />
        <span className={styles.menu}>
          <IconButton
            label={isOpen ? t.close : t.open}
            icon={isOpen ? <X size={18} /> : <Menu size={18} />}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
        </span>
      </div>
      <button
        type="button"
        className={`${buttonClass()} ${styles.search}`}
        onClick={() => setPaletteOpen(true)}
        aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
      >
        <Search size={15} aria-hidden="true" />
        {t.search}
        <kbd>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <Pages label={t.navigation} />
      <UserMenu className={styles.user ?? ''} />
      <Palette isOpen={isPaletteOpen} onClose={() => setPaletteOpen(false)} />
      <ShortcutHelp />
      <GoKeys />
    </div>
  )
}

const Pages = ({ label }: Readonly<{ label: string }>) => {
  const ws = useWorkspace()
  const may = useMay()
  const language = useLanguage()
  const hidden = useHiddenSections()
  return (
    <nav className={styles.list} aria-label={label}>
      {GROUP_NAMES.map((group) => {
        const entries = NAVIGATION.filter(
          (entry) => entry.group === group && may(entry.need) && !hidden.includes(sectionOf(entry)),
        )
        if (entries.length === 0) return null
        return (
          <div key={group} className={styles.group}>
            <h2>{GROUPS[group][language]}</h2>
            <ul>
              {entries.map(({ to, label: words, icon: Icon }) => (
                <li key={to}>
                  <Link
                    to={to}
                    params={{ ws }}
                    className={styles.link ?? ''}
                    activeOptions={{ exact: to === '/w/$ws', includeSearch: false }}
                  >
                    <Icon size={16} aria-hidden="true" />
                    {words[language]}
                    {to === '/w/$ws/approvals' ? <WaitingCount /> : null}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        )
      })}
    </nav>
  )
}

const GoKeys = () => {
  const may = useMay()
  return NAVIGATION.filter(({ key, need }) => key !== undefined && may(need)).map((entry) => (
    <GoKey key={entry.to} entry={entry} />
  ))
}

const GoKey = ({ entry: { to, key, label } }: Readonly<{ entry: NavigationEntry }>) => {
  const ws = useWorkspace()
  const language = useLanguage()
  const navigate = useNavigate()
  useShortcut(`g ${key}`, label[language], () => void navigate({ to, params: { ws } }))
  return null
}
