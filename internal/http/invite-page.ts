/** The page behind an invite link, in the language of whoever was invited. */
import { html } from 'hono/html'
import type { AppError, ErrorKind } from '#core/error.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '#core/password-rule.ts'
import type { Invite } from '#store/invites.ts'
import { CONSOLE_PATH } from './console-surface.ts'
import { toWireError } from './error.ts'
import { type PageContent, toPageResponse } from './page.ts'
import type { Language } from './page-language.ts'

type Words = Readonly<{
  title: (ws: string) => string
  about: (email: string) => PageContent
  name: string
  password: string
  join: string
  ended: string
  unknown: string
  signIn: PageContent
  /** In place of the error's own sentence. */
  faults: Readonly<Partial<Record<ErrorKind, string>>>
}>

const HOME = `${CONSOLE_PATH}/`

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    title: (ws) => `Join ${ws}`,
    about: (
      email,
    ) => html`You were invited as <code>${email}</code>. If this address has an account here, give its password;
else choose one of ${MIN_PASSWORD_LENGTH} characters or more.`,
    name: 'Your name',
    password: 'Password',
    join: 'Join',
    ended: 'This link has ended',
    unknown: 'This link does not work',
    signIn: html`Have you joined already? <a href="${HOME}">Sign in</a>`,
    faults: {
      not_found:
        'There is no such invite. Check that you have the whole link, or ask for a new one.',
    },
  },
  ko: {
    title: (ws) => `${ws} 참여`,
    about: (
      email,
    ) => html`<code>${email}</code> 주소로 초대받았습니다. 이 주소로 만든 계정이 있으면 그 비밀번호를,
없으면 새로 사용할 비밀번호를 ${MIN_PASSWORD_LENGTH}자 이상으로 입력하세요.`,
    name: '이름',
    password: '비밀번호',
    join: '참여하기',
    ended: '만료된 링크입니다',
    unknown: '사용할 수 없는 링크입니다',
    signIn: html`이미 참여하셨나요? <a href="${HOME}">로그인</a>`,
    faults: {
      invalid: `비밀번호는 ${MIN_PASSWORD_LENGTH}자 이상 ${MAX_PASSWORD_LENGTH}자 이하여야 하며, 이메일 주소와 달라야 합니다.`,
      unauthenticated: '이 이메일 주소로 만든 계정의 비밀번호와 다릅니다.',
      rate_limited: '비밀번호를 너무 여러 번 잘못 입력했습니다. 잠시 후 다시 시도하세요.',
      gone: '이미 사용했거나 만료된 초대입니다. 새 초대를 요청하세요.',
      not_found: '초대를 찾을 수 없습니다. 링크 전체를 복사했는지 확인하거나 새 초대를 요청하세요.',
    },
  },
}

const sentenceOf = (error: AppError, language: Language): string =>
  WORDS[language].faults[error.kind] ?? error.message

export type InvitePage = Readonly<{
  invite: Invite
  token: string
  language: Language
  /** What was typed already. */
  name?: string
  /** Why it was not accepted. */
  fault?: AppError
}>

export const invitePage = (page: InvitePage): Promise<Response> => {
  const { invite, token, language, name = '', fault } = page
  const t = WORDS[language]
  return toPageResponse({
    title: t.title(invite.ws),
    language,
    status: fault === undefined ? 200 : toWireError(fault).status,
    content: html`${fault === undefined ? '' : html`<p class="fault" role="alert">${sentenceOf(fault, language)}</p>`}
<p>${t.about(invite.email)}</p>
<form method="post" action="/api/auth/accept-invite">
<input type="hidden" name="token" value="${token}">
<label>${t.name} <input name="name" autocomplete="name" required maxlength="200" value="${name}"></label>
<label>${t.password} <input name="password" type="password" autocomplete="new-password" required minlength="${MIN_PASSWORD_LENGTH}" maxlength="${MAX_PASSWORD_LENGTH}"></label>
<button>${t.join}</button>
</form>`,
  })
}

/** Used, expired or taken back: who has joined before goes on to the console. */
export const endedInvitePage = (error: AppError, language: Language): Promise<Response> => {
  const t = WORDS[language]
  return toPageResponse({
    title: error.kind === 'gone' ? t.ended : t.unknown,
    language,
    status: toWireError(error).status,
    content: html`<p>${sentenceOf(error, language)}</p>
<p>${t.signIn}</p>`,
  })
}
