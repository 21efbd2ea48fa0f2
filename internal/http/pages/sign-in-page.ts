/** The sign-in form of pages that need a person; it redirects back to that page. */
import { html } from 'hono/html'
import type { AppError, ErrorKind } from '#core/error.ts'
import { toWireError } from '../error.ts'
import { type PageContent, toPageResponse } from './page.ts'
import type { Language } from './page-language.ts'

/** Codes of refusals that have their own sentence. */
const CODED = ['too_many_sign_ins', 'two_factor_required', 'wrong_code'] as const
type Coded = (typeof CODED)[number]

type Words = Readonly<{
  title: string
  email: string
  password: string
  provider: string
  code: string
  /** By the error's kind or code, in place of its own message. */
  faults: Readonly<Partial<Record<ErrorKind | Coded, string>>>
}>

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    title: 'Sign in',
    email: 'E-mail',
    password: 'Password',
    provider: 'Sign in with single sign-on',
    code: 'Code of your authenticator app',
    faults: {},
  },
  ko: {
    title: '로그인',
    email: '이메일',
    password: '비밀번호',
    provider: '통합 로그인(SSO)',
    code: '인증 앱의 코드',
    faults: {
      unauthenticated: '이메일 또는 비밀번호가 올바르지 않습니다.',
      rate_limited: '너무 여러 번 잘못 입력했습니다. 잠시 후 다시 시도하세요.',
      two_factor_required: '인증 앱의 코드를 입력하세요.',
      wrong_code: '코드가 올바르지 않거나 이미 사용되었습니다. 다음 코드를 입력하세요.',
      too_many_sign_ins: '지금은 로그인 요청이 많습니다. 잠시 후 다시 시도하세요.',
    },
  },
}

const sentenceOf = (fault: AppError, language: Language): string => {
  const { faults } = WORDS[language]
  const code = CODED.find((each) => each === fault.code)
  return (code === undefined ? faults[fault.kind] : faults[code]) ?? fault.message
}

/** Accepts a path of our own, and nothing that a browser would resolve to another site. */
export const isOwnPath = (path: string): boolean => /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)

/** The ways to sign in here. */
export type SignInPageWays = Readonly<{ provider: boolean; password: boolean }>

export type SignInPage = Readonly<{
  /** The page to redirect to after the sign-in. */
  next: string
  language: Language
  ways: SignInPageWays
  fault?: AppError
}>

/** A link to the provider, which returns to the page. */
export const providerLink = (next: string, language: Language): PageContent =>
  html`<p><a href="/api/auth/oidc/login?next=${encodeURIComponent(next)}">${WORDS[language].provider}</a></p>`

const passwordForm = (next: string, language: Language, asksCode: boolean): PageContent => {
  const { title, email, password, code } = WORDS[language]
  return html`<form method="post" action="/api/auth/login">
<input type="hidden" name="next" value="${next}">
<label>${email} <input name="email" type="email" autocomplete="username" required maxlength="320"></label>
<label>${password} <input name="password" type="password" autocomplete="current-password" required maxlength="200"></label>
${asksCode ? html`<label>${code} <input name="code" autocomplete="one-time-code" required maxlength="20"></label>` : ''}
<button>${title}</button>
</form>`
}

export const signInPage = ({ next, language, ways, fault }: SignInPage): Promise<Response> => {
  const asksCode = fault?.code === 'two_factor_required' || fault?.code === 'wrong_code'
  const { status, headers } =
    fault === undefined ? { status: 200, headers: {} } : toWireError(fault)
  return toPageResponse({
    title: WORDS[language].title,
    language,
    status,
    headers,
    content: html`${fault === undefined ? '' : html`<p class="fault" role="alert">${sentenceOf(fault, language)}</p>`}
${ways.provider ? providerLink(next, language) : ''}
${ways.password ? passwordForm(next, language, asksCode) : ''}`,
  })
}
