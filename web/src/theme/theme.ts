/** The theme: light, dark, or that of the system; stored in this browser. theme.js sets it before the first paint. */
import { keepSetting, useSetting } from '../browser/settings.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const isTheme = (text: string | null): text is Theme => THEMES.some((theme) => theme === text)

export const setTheme = (theme: Theme): void => {
  keepSetting('theme', theme === 'system' ? null : theme)
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
}

export const useTheme = (): Theme => {
  const kept = useSetting('theme')
  return isTheme(kept) ? kept : 'system'
}
