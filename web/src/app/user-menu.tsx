/** The signed-in person, with links to their account, language and theme, and sign-out. */
import { useNavigate } from '@tanstack/react-router'
import { BookOpen, Braces, CircleUser, LogOut } from 'lucide-react'
import { forgetKeptStates } from '../form/use-kept-state.ts'
import { LANGUAGE_NAMES, LANGUAGES, setLanguage, useLanguage } from '../language/language.ts'
import { defineMessages, useMessages } from '../language/messages.ts'
import { apiOf, useWorkspace } from '../session/api.ts'
import { forgetPerson } from '../session/query-client.ts'
import { useIdentity } from '../session/session.ts'
import { setTheme, THEMES, type Theme, useTheme } from '../theme/theme.ts'
import { buttonClass } from '../ui/button.tsx'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { useErrorSentence } from '../ui/notice.tsx'
import { announce } from '../ui/toast.tsx'
import { NAVIGATION } from './navigation.ts'

const messages = defineMessages({
  account: { en: 'Account and settings', ko: '계정 및 설정' },
  language: { en: 'Language', ko: '언어' },
  theme: { en: 'Theme', ko: '테마' },
  system: { en: 'System', ko: '시스템 설정' },
  light: { en: 'Light', ko: '밝게' },
  dark: { en: 'Dark', ko: '어둡게' },
  docs: { en: 'Documentation', ko: '문서' },
  reference: { en: 'API reference', ko: 'API 레퍼런스' },
  stillIn: { en: 'Could not sign out', ko: '로그아웃하지 못했습니다' },
})

export const useSignOut = (): (() => Promise<void>) => {
  const t = useMessages(messages)
  const navigate = useNavigate()
  const sentence = useErrorSentence()
  return async () => {
    let ended: Readonly<{ provider_logout_url: string }> | undefined
    try {
      ended = await apiOf('').post('/api/auth/logout')
    } catch (error) {
      announce({ tone: 'bad', title: t.stillIn, text: sentence(error) })
      return
    }
    if (ended !== undefined) {
      forgetKeptStates()
      // the provider redirects back to the sign-in page
      location.assign(ended.provider_logout_url)
      return
    }
    await navigate({ to: '/sign-in' })
    // the next person who signs in must not see this person's data
    forgetPerson()
    forgetKeptStates()
  }
}

export const UserMenu = ({ className }: Readonly<{ className: string }>) => {
  const t = useMessages(messages)
  const email = useIdentity()
  const language = useLanguage()
  const theme = useTheme()
  const ws = useWorkspace()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const themeNames: Readonly<Record<Theme, string>> = {
    system: t.system,
    light: t.light,
    dark: t.dark,
  }
  return (
    <Menu
      // the visible text must be a part of the accessible name
      label={`${t.account}: ${email ?? ''}`}
      className={`${buttonClass('quiet')} ${className}`}
      button={
        <>
          <CircleUser size={16} aria-hidden="true" />
          <span>{email ?? ''}</span>
        </>
      }
    >
      <MenuChoice
        label={t.language}
        value={language}
        onChange={setLanguage}
        options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
      />
      <MenuChoice
        label={t.theme}
        value={theme}
        onChange={setTheme}
        options={THEMES.map((value) => ({ value, label: themeNames[value] }))}
      />
      <MenuSeparator />
      {NAVIGATION.filter(({ group }) => group === null).map(({ to, label, icon: Icon }) => (
        <MenuItem key={to} onSelect={() => void navigate({ to, params: { ws } })}>
          <Icon size={15} aria-hidden="true" />
          {label[language]}
        </MenuItem>
      ))}
      <MenuItem onSelect={() => location.assign('/docs')}>
        <BookOpen size={15} aria-hidden="true" />
        {t.docs}
      </MenuItem>
      <MenuItem onSelect={() => location.assign('/api/docs')}>
        <Braces size={15} aria-hidden="true" />
        {t.reference}
      </MenuItem>
      <MenuItem onSelect={() => void signOut()}>
        <LogOut size={15} aria-hidden="true" />
        {t.signOut}
      </MenuItem>
    </Menu>
  )
}
