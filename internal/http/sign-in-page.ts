/** The sign-in form of pages that need a person; it comes back to where it was asked for. */
import { html } from 'hono/html'
import type { AppError, ErrorKind } from '#core/error.ts'
import { toPageResponse } from './page.ts'
import type { Language } from './page-language.ts'

type Words = Readonly<{
  title: string
  email: string
  password: string
  faults: Readonly<Partial<Record<ErrorKind, string>>>
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
    },
  },
}

/** A path of ours, and nothing that a browser would read as another site's address. */
export const isOwnPath = (path: string): boolean => /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)

export const signInPage = (
  next: string,
  language: Language,
  fault: AppError | null = null,
): Promise<Response> => {
  const { title, email, password, faults } = WORDS[language]
  return toPageResponse({
    title,
    language,
    status: fault === null ? 200 : 401,
    content: html`${fault === null ? '' : html`<p class="fault" role="alert">${faults[fault.kind] ?? fault.message}</p>`}
<form method="post" action="/api/auth/login">
<input type="hidden" name="next" value="${next}">
<label>${email} <input name="email" type="email" autocomplete="username" required maxlength="320"></label>
<label>${password} <input name="password" type="password" autocomplete="current-password" required maxlength="200"></label>
<button>${title}</button>
</form>`,
  })
}
