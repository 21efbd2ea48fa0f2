/** The page on which a person allows or refuses a program to act for them (RFC 8628). */
import { html } from 'hono/html'
import { type PageContent, toPageResponse } from './page.ts'
import type { Language } from './page-language.ts'

type Words = Readonly<{
  title: string
  about: (email: string) => PageContent
  code: string
  workspace: string
  approve: string
  deny: string
  approved: string
  denied: string
  done: string
}>

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    title: 'Sign a device in',
    about: (
      email,
    ) => html`A program asks to act for you, <code>${email}</code>. Approve only if you started it yourself and it shows this
code.`,
    code: 'Code',
    workspace: 'Workspace',
    approve: 'Approve',
    deny: 'Deny',
    approved: 'Approved',
    denied: 'Denied',
    done: 'You may close this page and go back to the device.',
  },
  ko: {
    title: '기기 로그인',
    about: (
      email,
    ) => html`프로그램이 <code>${email}</code> 이름으로 로그인하려고 합니다. 직접 시작한 프로그램이고 화면에 이 코드가 보일 때만
허용하세요.`,
    code: '코드',
    workspace: '워크스페이스',
    approve: '허용',
    deny: '거부',
    approved: '허용했습니다',
    denied: '거부했습니다',
    done: '이 페이지를 닫고 기기로 돌아가세요.',
  },
}

export type DeviceLogin = Readonly<{
  email: string
  /** In the form that people see. */
  code: string
  workspaces: readonly string[]
}>

export const devicePage = (
  { email, code, workspaces }: DeviceLogin,
  language: Language,
): Promise<Response> => {
  const t = WORDS[language]
  return toPageResponse({
    title: t.title,
    language,
    content: html`<p>${t.about(email)}</p>
<form method="post" action="/api/auth/device/approve">
<label>${t.code} <input name="user_code" required maxlength="40" autocomplete="off" value="${code}"></label>
<label>${t.workspace} <select name="workspace">${workspaces.map((id) => html`<option>${id}</option>`)}</select></label>
<button name="approve" value="true">${t.approve}</button><button class="plain" name="approve" value="false">${t.deny}</button>
</form>`,
  })
}

export const deviceDecidedPage = (isApproved: boolean, language: Language): Promise<Response> => {
  const { approved, denied, done } = WORDS[language]
  return toPageResponse({
    title: isApproved ? approved : denied,
    language,
    content: html`<p>${done}</p>`,
  })
}
