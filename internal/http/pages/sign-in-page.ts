/** The sign-in form of pages that need a person; it redirects back to that page. */
import { html } from 'hono/html'
import type { AppError } from '#core/error.ts'
import { toWireError } from '../error.ts'
import { type PageContent, toPageResponse } from './page.ts'
import type { Language } from './page-language.ts'

type Words = Readonly<{
  title: string
  email: string
  password: string
  provider: string
  otherAccount: string
  code: string
  /** By the error's code or else its kind, in place of its own message. */
  faults: Readonly<Record<string, string>>
}>

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    title: 'Sign in',
    email: 'E-mail',
    password: 'Password',
    provider: 'Sign in with single sign-on',
    otherAccount: 'Use another account of single sign-on',
    code: 'Code of your authenticator app',
    faults: {},
  },
  ko: {
    title: '로그인',
    email: '이메일',
    password: '비밀번호',
    provider: '통합 로그인(SSO)',
    otherAccount: '통합 로그인(SSO)의 다른 계정 사용',
    code: '인증 앱의 코드',
    faults: {
      unauthenticated: '이메일 또는 비밀번호가 올바르지 않습니다.',
      rate_limited: '너무 여러 번 잘못 입력했습니다. 잠시 후 다시 시도하세요.',
      two_factor_required: '인증 앱의 코드를 입력하세요.',
      wrong_code: '코드가 올바르지 않거나 이미 사용되었습니다. 다음 코드를 입력하세요.',
      too_many_sign_ins: '지금은 로그인 요청이 많습니다. 잠시 후 다시 시도하세요.',
      password_login_off: '비밀번호 로그인이 꺼져 있습니다. 통합 로그인(SSO)을 이용하세요.',
      link_password:
        '이 주소에는 비밀번호가 있는 계정이 있습니다. 비밀번호로 한 번 로그인하면 다음부터는 통합 로그인(SSO)을 사용할 수 있습니다.',
      oidc_denied: '통합 로그인(SSO) 제공자가 로그인을 허용하지 않았습니다.',
      oidc_failed: '로그인을 확인하지 못했습니다. 다시 로그인하세요.',
      oidc_off: '통합 로그인(SSO)이 설정되어 있지 않습니다.',
      oidc_state: '이미 사용했거나 만료된 로그인입니다. 다시 로그인하세요.',
      oidc_unreachable: '통합 로그인(SSO) 제공자가 응답하지 않습니다. 잠시 후 다시 시도하세요.',
      no_email: '통합 로그인(SSO) 제공자가 이 계정의 이메일 주소를 보내지 않았습니다.',
      email_not_verified: '통합 로그인(SSO) 제공자가 이 계정의 이메일 주소를 확인하지 않았습니다.',
      domain_not_allowed: '이 도메인의 계정으로는 로그인할 수 없습니다.',
      no_account: '이 주소의 계정이 없습니다. 워크스페이스 관리자에게 초대를 요청하세요.',
      no_workspace_to_join:
        '새 계정이 참여할 워크스페이스가 없습니다. 운영자에게 SVC_OIDC_AUTO_JOIN을 고치도록 요청하세요.',
      account_disabled: '비활성화된 계정입니다. 관리자에게 문의하세요.',
    },
  },
}

const sentenceOf = (fault: AppError, language: Language): string => {
  const { faults } = WORDS[language]
  return faults[fault.code] ?? faults[fault.kind] ?? fault.message
}

const isOwn = (path: string): boolean => /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)

/**
 * Returns a path of our own in ASCII, as `Location` takes it. Null for any other text, also if a browser would resolve it to
 * another site.
 */
export const toOwnPath = (text: string | undefined): string | null => {
  const base = 'http://svc.invalid'
  const url = text !== undefined && isOwn(text) ? URL.parse(text, base) : null
  if (url === null) return null
  // `/.//other.example` begins with two slashes once it is resolved
  const path = url.href.slice(base.length)
  return isOwn(path) ? path : null
}

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

/** Refusals of the account itself. The provider would sign the person in to the same one again without a question. */
const OF_ACCOUNT = new Set([
  'account_disabled',
  'domain_not_allowed',
  'email_not_verified',
  'no_account',
  'no_email',
])

const otherAccountLink = (next: string, language: Language): PageContent =>
  html`<p><a href="/api/auth/oidc/login?account=other&amp;next=${encodeURIComponent(next)}">${WORDS[language].otherAccount}</a></p>`

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
${ways.provider && OF_ACCOUNT.has(fault?.code ?? '') ? otherAccountLink(next, language) : ''}
${ways.password ? passwordForm(next, language, asksCode) : ''}`,
  })
}
