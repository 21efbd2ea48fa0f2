/** The page behind an invite link, in the language of the browser. */
import { html } from 'hono/html'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '#core/access/password-rule.ts'
import type { AppError, ErrorKind } from '#core/error.ts'
import type { Invite } from '#store/people/invites.ts'
import { toWireError } from '../error.ts'
import { CONSOLE_HOME } from '../surfaces/console-surface.ts'
import { type PageContent, toPageResponse } from './page.ts'
import type { Language } from './page-language.ts'
import { providerLink, type SignInPageWays } from './sign-in-page.ts'

type Words = Readonly<{
  title: (ws: string) => string
  about: (email: string) => PageContent
  /** For the account that the invite is for. */
  joinAs: (email: string) => PageContent
  otherAccount: (email: string) => PageContent
  haveAccount: string
  newAccount: string
  name: string
  password: string
  join: string
  ended: string
  unknown: string
  signIn: PageContent
  /** Sentences that replace those of the errors. */
  faults: Readonly<Partial<Record<ErrorKind, string>>>
}>

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    title: (ws) => `Join ${ws}`,
    about: (email) => html`You were invited as <code>${email}</code>.`,
    joinAs: (email) => html`You are signed in as <code>${email}</code>.`,
    otherAccount: (email) =>
      html`You are signed in as <code>${email}</code>, which is another account.`,
    haveAccount: 'I have an account: sign in',
    newAccount: `Without an account, choose your name and a password of ${MIN_PASSWORD_LENGTH} characters or more.`,
    name: 'Your name',
    password: 'Password',
    join: 'Join',
    ended: 'This link has ended',
    unknown: 'This link does not work',
    signIn: html`Have you joined already? <a href="${CONSOLE_HOME}">Sign in</a>`,
    faults: {
      not_found:
        'There is no such invite. Check that you have the whole link, or ask for a new one.',
      unauthenticated:
        'This address has an account. Sign in first, then join. If you did not create that account, ask the operator of svc to remove it.',
    },
  },
  ko: {
    title: (ws) => `${ws} 참여`,
    about: (email) => html`<code>${email}</code> 주소로 초대받았습니다.`,
    joinAs: (email) => html`<code>${email}</code> 계정으로 로그인되어 있습니다.`,
    otherAccount: (email) => html`다른 계정(<code>${email}</code>)으로 로그인되어 있습니다.`,
    haveAccount: '이미 계정이 있습니다. 로그인하기',
    newAccount: `계정이 없으면 이름과 ${MIN_PASSWORD_LENGTH}자 이상의 비밀번호를 입력하세요.`,
    name: '이름',
    password: '비밀번호',
    join: '참여하기',
    ended: '만료된 링크입니다',
    unknown: '사용할 수 없는 링크입니다',
    signIn: html`이미 참여하셨나요? <a href="${CONSOLE_HOME}">로그인</a>`,
    faults: {
      invalid: `비밀번호는 ${MIN_PASSWORD_LENGTH}자 이상 ${MAX_PASSWORD_LENGTH}자 이하여야 하며, 이메일 주소와 달라야 합니다.`,
      unauthenticated:
        '이 주소로 만든 계정이 있습니다. 먼저 로그인한 뒤 참여하세요. 직접 만든 계정이 아니라면 svc 운영자에게 계정 삭제를 요청하세요.',
      forbidden: '초대받은 주소와 다른 계정으로 로그인되어 있습니다. 초대받은 주소로 로그인하세요.',
      conflict: '이미 이 워크스페이스의 멤버입니다.',
      rate_limited: '지금은 요청이 많습니다. 잠시 후 다시 시도하세요.',
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
  /** The e-mail address of the session; null if there is no session. */
  signedInAs: string | null
  ways: SignInPageWays
  /** The name that the person has entered already. */
  name?: string
  /** Why the last submission was refused. */
  fault?: AppError
}>

export const inviteLink = (token: string): string => `/invite?token=${encodeURIComponent(token)}`

/** For the account that the invite is for: one button, and no password. */
const joinForm = ({ invite, token, language }: InvitePage): PageContent => {
  const t = WORDS[language]
  return html`<p>${t.joinAs(invite.email)}</p>
<form method="post" action="/api/auth/accept-invite">
<input type="hidden" name="token" value="${token}">
<button>${t.join}</button>
</form>`
}

/** Looks the same for addresses with and without an account, so that a link does not reveal which it is. */
const strangerForms = ({
  token,
  language,
  signedInAs,
  ways,
  name = '',
}: InvitePage): PageContent => {
  const t = WORDS[language]
  return html`${signedInAs === null ? '' : html`<p>${t.otherAccount(signedInAs)}</p>`}
${ways.provider ? providerLink(inviteLink(token), language) : ''}
${ways.password ? accountForms({ token, language, name }) : ''}`
}

const accountForms = ({
  token,
  language,
  name = '',
}: Pick<InvitePage, 'token' | 'language' | 'name'>): PageContent => {
  const t = WORDS[language]
  return html`<p><a href="${inviteLink(token)}&sign_in=1">${t.haveAccount}</a></p>
<p>${t.newAccount}</p>
<form method="post" action="/api/auth/accept-invite">
<input type="hidden" name="token" value="${token}">
<label>${t.name} <input name="name" autocomplete="name" required maxlength="200" value="${name}"></label>
<label>${t.password} <input name="password" type="password" autocomplete="new-password" required minlength="${MIN_PASSWORD_LENGTH}" maxlength="${MAX_PASSWORD_LENGTH}"></label>
<button>${t.join}</button>
</form>`
}

export const invitePage = (page: InvitePage): Promise<Response> => {
  const { invite, language, signedInAs, fault } = page
  const t = WORDS[language]
  const { status, headers } =
    fault === undefined ? { status: 200, headers: {} } : toWireError(fault)
  return toPageResponse({
    title: t.title(invite.ws),
    language,
    status,
    headers,
    content: html`${fault === undefined ? '' : html`<p class="fault" role="alert">${sentenceOf(fault, language)}</p>`}
<p>${t.about(invite.email)}</p>
${signedInAs === invite.email ? joinForm(page) : strangerForms(page)}`,
  })
}

/** The link was used, has expired or was revoked. People who joined before can go on to the console. */
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
