/** The items of the palette for the typed text. */

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { keepSetting, useSetting } from '../browser/settings.ts'
import { usePaletteCommands } from '../kit/palette-commands.ts'
import { setLanguage, useLanguage } from '../language/language.ts'
import { defineMessages, useMessages } from '../language/messages.ts'
import { useWorkspace } from '../session/api.ts'
import { useMay, workspacesQuery } from '../session/session.ts'
import { setTheme } from '../theme/theme.ts'
import { NAVIGATION } from './navigation.ts'
import { idOf, nameOf, readCommand, readRecent, type Target, withRecent } from './palette-target.ts'
import { usePaletteTargets } from './palette-targets.ts'
import { useSignOut } from './user-menu.tsx'

const messages = defineMessages({
  here: { en: 'On this page', ko: '이 페이지에서' },
  recent: { en: 'Recent', ko: '최근' },
  setting: { en: 'Setting', ko: '설정' },
  job: { en: 'Open this job', ko: '이 작업 열기' },
  flowRun: { en: 'Open this flow run', ko: '이 플로우 실행 열기' },
  runName: { en: (name: string) => `Run ${name}`, ko: (name: string) => `${name} 실행` },
  startName: { en: (name: string) => `Start ${name}`, ko: (name: string) => `${name} 시작` },
  light: { en: 'Light theme', ko: '밝은 테마' },
  dark: { en: 'Dark theme', ko: '어두운 테마' },
  other: { en: '한국어', ko: 'English' },
})

export type PaletteItem = Readonly<{ id: string; label: string; kind: string; run: () => void }>

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Opens a target, and remembers it among the most recent ones. */
const useGo = (): ((target: Target) => void) => {
  const ws = useWorkspace()
  const navigate = useNavigate()
  const kept = useSetting(`recent ${ws}`)
  const go = (target: Target) => {
    switch (target.kind) {
      case 'page':
        return navigate({ to: target.to, params: { ws } })
      case 'app':
        return navigate({ to: '/w/$ws/apps/$app', params: { ws, app: target.app } })
      case 'action':
      case 'run':
        return navigate({
          to: '/w/$ws/apps/$app/actions/$action',
          params: { ws, app: target.app, action: target.key },
          search: target.kind === 'run' ? { tab: 'run' } : {},
        })
      case 'function':
        return navigate({
          to: '/w/$ws/apps/$app/functions/$name',
          params: { ws, app: target.app, name: target.key },
        })
      case 'flow':
      case 'start':
        return navigate({
          to: '/w/$ws/flows/$app/$flow',
          params: { ws, app: target.app, flow: target.key },
          search: target.kind === 'start' ? { start: true } : {},
        })
      case 'schedule':
        return navigate({ to: '/w/$ws/schedules/$id', params: { ws, id: target.id } })
    }
  }
  return (target) => {
    keepSetting(`recent ${ws}`, withRecent(readRecent(kept), target))
    void go(target)
  }
}

/** Creates an item for each target, with a label that names what it does. */
const useTargetItem = () => {
  const t = useMessages(messages)
  const language = useLanguage()
  const go = useGo()
  return (target: Target, kind?: string): PaletteItem => {
    const item = { id: idOf(target), run: () => go(target) }
    if (target.kind === 'page') {
      const page = NAVIGATION.find(({ to }) => to === target.to)
      return { ...item, label: page?.label[language] ?? target.to, kind: kind ?? t.page }
    }
    const name = nameOf(target)
    if (target.kind === 'run') return { ...item, label: t.runName(name), kind: kind ?? t.action }
    if (target.kind === 'start') return { ...item, label: t.startName(name), kind: kind ?? t.flow }
    return { ...item, label: name, kind: kind ?? t[target.kind] }
  }
}

const useIdItems = (typed: string): readonly PaletteItem[] => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const may = useMay()
  const navigate = useNavigate()
  const id = typed.trim()
  if (!UUID.test(id)) return []
  const job = {
    id: 'job',
    label: id,
    kind: t.job,
    run: () => void navigate({ to: '/w/$ws/jobs/$id', params: { ws, id } }),
  }
  const run = {
    id: 'flow run',
    label: id,
    kind: t.flowRun,
    run: () => void navigate({ to: '/w/$ws/flow-runs/$id', params: { ws, id } }),
  }
  return [...(may('jobs:read') ? [job] : []), ...(may('flows:read') ? [run] : [])]
}

const useSettingItems = (): readonly PaletteItem[] => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const language = useLanguage()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const { data: workspaces = [] } = useQuery(workspacesQuery)
  const setting = (id: string, label: string, run: () => void) => ({
    id,
    label,
    kind: t.setting,
    run,
  })
  return [
    ...workspaces
      .filter((each) => each.id !== ws)
      .map((each) => ({
        id: `workspace ${each.id}`,
        label: each.id,
        kind: t.workspace,
        run: () => void navigate({ to: '/w/$ws', params: { ws: each.id } }),
      })),
    setting('light', t.light, () => setTheme('light')),
    setting('dark', t.dark, () => setTheme('dark')),
    setting('language', t.other, () => setLanguage(language === 'ko' ? 'en' : 'ko')),
    setting('out', t.signOut, () => void signOut()),
  ]
}

/** Whether each typed word is a part of the label. */
const isMatch = (label: string, text: string): boolean => {
  const small = label.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => small.includes(word))
}

const unique = (items: readonly PaletteItem[]): readonly PaletteItem[] => {
  const ids = new Set<string>()
  return items.filter(({ id }) => !ids.has(id) && ids.add(id))
}

/** The most recent targets come first while nothing is typed. */
export const usePaletteItems = (typed: string): readonly PaletteItem[] => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const may = useMay()
  const { isRun, text } = readCommand(typed)
  const toItem = useTargetItem()
  const byId = useIdItems(typed)
  const settings = useSettingItems()
  const commands = usePaletteCommands()
  const recent = readRecent(useSetting(`recent ${ws}`))
  const found = usePaletteTargets(text, isRun).map((target) => toItem(target))
  const pages = NAVIGATION.filter(({ need }) => may(need))
  const rest = [
    ...commands.map(({ label, run }) => ({ id: `here ${label}`, label, kind: t.here, run })),
    ...pages.map(({ to }) => toItem({ kind: 'page', to })),
    ...settings,
  ]
  if (typed.trim() === '') {
    return unique([...recent.map((target) => toItem(target, t.recent)), ...rest])
  }
  // the name of a page may begin with the command, as Runs does
  const named = rest.filter(({ label }) => isMatch(label, typed.trim()))
  return unique([...byId, ...(isRun ? [...found, ...named] : [...named, ...found])])
}
