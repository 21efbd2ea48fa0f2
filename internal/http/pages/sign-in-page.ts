/** The sign-in form of pages that need a person; it redirects back to that page. */
import { html } from 'hono/html'
import type { AppError, ErrorKind } from '#core/error.ts'
import { toWireError } from '../error.ts'
import { toPageResponse } from './page.ts'
import type { Language } from './page-language.ts'

type Words = Readonly<{
  title: string
  email: string
  password: string
  /** By the error's kind or code, in place of its own sentence. */
  faults: Readonly<Partial<Record<ErrorKind | 'too_many_sign_ins', string>>>
}>

const WORDS: Readonly<Record<Language, Words>> = {
  en: { title: 'Sign in', email: 'E-mail', password: 'Password', faults: {} },
  ko: {
    title: '로그인',
    email: '이메일',
    password: '비밀번호',
    faults: {
      unauthenticated: '이메일 또는 비밀번호가 올바르지 않습니다.',
      rate_limited: '너무 여러 번 잘못 입력했습니다. 잠시 후 다시 시도하세요.',
      too_many_sign_ins: '지금은 로그인 요청이 많습니다. 잠시 후 다시 시도하세요.',
    },
  },
}

const sentenceOf = (fault: AppError, language: Language): string => {
  const { faults } = WORDS[language]
  const ofCode = fault.code === 'too_many_sign_ins' ? faults.too_many_sign_ins : undefined
  return ofCode ?? faults[fault.kind] ?? fault.message
}

/** A path of ours, and nothing that a browser would read as another site's address. */
export const isOwnPath = (path: string): boolean => /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)

export const signInPage = (
  next: string,
  language: Language,
  fault: AppError | null = null,
): Promise<Response> => {
  const { title, email, password } = WORDS[language]
  const { status, headers } = fault === null ? { status: 200, headers: {} } : toWireError(fault)
  return toPageResponse({
    title,
    language,
    status,
    headers,
    content: html`${fault === null ? '' : html`<p class="fault" role="alert">${sentenceOf(fault, language)}</p>`}
<form method="post" action="/api/auth/login">
<input type="hidden" name="next" value="${next}">
<label>${email} <input name="email" type="email" autocomplete="username" required maxlength="320"></label>
<label>${password} <input name="password" type="password" autocomplete="current-password" required maxlength="200"></label>
<button>${title}</button>
</form>`,
  })
}
