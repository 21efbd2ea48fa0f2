/** The page of an approval link, in the language of the approver's browser. */
import { html } from 'hono/html'
import type { ErrorDetail } from '#core/error.ts'
import type { Answer } from '#core/flow/approval/decide.ts'
import type { Shown } from '#core/flow/approval/shown.ts'
import { policiesOf } from '#core/flow/kinds/approval.ts'
import type { JsonValue } from '#core/json/value.ts'
import type { AskedApproval } from '#service/flows/asked-approval.ts'
import { formFields } from './form-fields.ts'
import { timeOf, toPageResponse } from './page.ts'
import type { Language } from './page-language.ts'

type Words = Readonly<{
  title: string
  /** The text that is shown if the flow has no description. */
  about: string
  /** The same, if the run continues after a rejection too. */
  aboutEither: string
  flow: string
  step: string
  requester: string
  since: string
  approver: string
  approve: string
  reason: string
  optional: string
  reject: string
  done: Readonly<Record<Answer['kind'], string>>
  thanks: string
}>

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    title: 'Your approval is needed',
    about: 'A flow waits for your answer. It goes on if you approve and stops if you reject.',
    aboutEither: 'A flow waits for your answer and goes on with it.',
    flow: 'Flow',
    step: 'Step',
    requester: 'Requested by',
    since: 'Since',
    approver: 'You answer as',
    approve: 'Approve',
    reason: 'Reason',
    optional: 'optional',
    reject: 'Reject',
    done: { approve: 'Approved', reject: 'Rejected' },
    thanks: 'Thank you. Your answer is recorded. You can close this page.',
  },
  ko: {
    title: '승인이 필요합니다',
    about: '플로우가 답변을 기다리고 있습니다. 승인하면 계속 진행되고, 반려하면 중단됩니다.',
    aboutEither: '플로우가 답변을 기다리고 있습니다. 승인 또는 반려에 따라 다음 단계가 진행됩니다.',
    flow: '플로우',
    step: '단계',
    requester: '요청한 사람',
    since: '요청 시각',
    approver: '답하는 사람',
    approve: '승인',
    reason: '사유',
    optional: '선택',
    reject: '반려',
    done: { approve: '승인했습니다', reject: '반려했습니다' },
    thanks: '답변이 기록되었습니다. 이 페이지를 닫아도 됩니다.',
  },
}

/** `approval` offers both decisions. */
export type ApprovalPage = 'approval' | 'approve' | 'reject'

export type Filled = Readonly<{
  typed: ReadonlyMap<string, string>
  faults: readonly ErrorDetail[]
}>
const EMPTY: Filled = { typed: new Map(), faults: [] }

type AskPage = Readonly<{ asked: AskedApproval; page: ApprovalPage; language: Language }>

const shownText = (value: JsonValue): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2)

/** What the flow shows its approvers: text, never markup. */
const shownPart = ({ description, show }: Shown, about: string) =>
  html`<p class="text">${description ?? about}</p>${
    show.length === 0
      ? ''
      : html`<dl>${show.map(({ label, value }) => html`<dt>${label}</dt><dd class="text">${shownText(value)}</dd>`)}</dl>`
  }`

export const askPage = (
  { asked, page, language }: AskPage,
  { typed, faults }: Filled = EMPTY,
): Promise<Response> => {
  const t = WORDS[language]
  const { workspace, app, flow, step, requester, shown, startedAt, approver } = asked
  const about = policiesOf(step).onReject === 'continue' ? t.aboutEither : t.about
  const form = step.approval?.resumeForm ?? []
  const token = encodeURIComponent(asked.token)
  const facts = html`<dl><dt>${t.flow}</dt><dd>${app} / ${flow}</dd><dt>${t.step}</dt><dd>${step.key}</dd>
<dt>${t.requester}</dt><dd>${requester}</dd><dt>${t.since}</dt><dd>${timeOf(startedAt)}</dd>
<dt>${t.approver}</dt><dd>${approver}</dd></dl>`
  const approve = html`<form method="post" action="/api/flow/approve?t=${token}">${formFields({ language, form, typed, faults })}<button>${t.approve}</button></form>`
  const reject = html`<form method="post" action="/api/flow/reject?t=${token}"><label for="reason">${t.reason} <span class="hint">(${t.optional})</span></label><input name="reason" id="reason" maxlength="1000"><button class="plain">${t.reject}</button></form>`
  return toPageResponse({
    title: shown.title ?? t.title,
    workspace,
    language,
    status: faults.length === 0 ? 200 : 400,
    headers: { 'x-robots-tag': 'noindex' },
    hasTimes: true,
    content: html`${shownPart(shown, about)}${facts}${page === 'reject' ? '' : approve}${page === 'approve' ? '' : reject}`,
  })
}

export const answeredPage = (kind: Answer['kind'], language: Language): Promise<Response> =>
  toPageResponse({
    title: WORDS[language].done[kind],
    language,
    content: html`<p role="status">${WORDS[language].thanks}</p>`,
  })
