/** The form of a public link, and the page that shows how far its run has got. */
import { html } from 'hono/html'
import { isRunOver, type RunStatus } from '#core/flow/run.ts'
import type { OpenedLink } from '#service/flows/public-link.ts'
import { formFields, type TypedForm } from './form-fields.ts'
import { timeOf, toPageResponse } from './page.ts'
import type { Language } from './page-language.ts'

const REFRESH_S = 3

type Words = Readonly<{
  send: string
  /** The text that is shown if the flow has no description. */
  about: string
  openUntil: string
  sentAt: string
  title: string
  statuses: Readonly<Record<RunStatus, string>>
  /** The public status of a run, without its data. */
  sentences: Readonly<Record<RunStatus, string>>
}>

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    send: 'Send',
    about: 'Fill in the form and send it. The next page shows the status of your request.',
    openUntil: 'Open until',
    sentAt: 'Sent',
    title: 'Your request',
    statuses: {
      running: 'In progress',
      waiting_approval: 'Waiting for approval',
      completed: 'Done',
      failed: 'Failed',
      canceled: 'Canceled',
    },
    sentences: {
      running: 'Your request is being worked on. This page looks again by itself.',
      waiting_approval: 'Your request is waiting for approval. This page refreshes by itself.',
      completed: 'Your request is done.',
      failed: 'Your request could not be completed. Ask the person who sent you the form.',
      canceled: 'Your request was canceled.',
    },
  },
  ko: {
    send: '보내기',
    about: '양식을 작성해 보내세요. 다음 페이지에서 처리 상태를 볼 수 있습니다.',
    openUntil: '접수 기한',
    sentAt: '보낸 시각',
    title: '요청 상태',
    statuses: {
      running: '처리 중',
      waiting_approval: '승인 대기',
      completed: '완료',
      failed: '실패',
      canceled: '취소됨',
    },
    sentences: {
      running: '요청을 처리하고 있습니다. 이 페이지는 자동으로 새로 고쳐집니다.',
      waiting_approval: '담당자의 답을 기다리고 있습니다. 이 페이지는 자동으로 새로 고쳐집니다.',
      completed: '요청이 처리되었습니다.',
      failed: '요청을 처리하지 못했습니다. 양식을 보낸 사람에게 문의하세요.',
      canceled: '요청이 취소되었습니다.',
    },
  },
}

export const publicFormPage = (
  { link, form, workspace, title, description }: OpenedLink,
  { language, typed, faults }: Omit<TypedForm, 'form'>,
): Promise<Response> => {
  const { about, openUntil, send } = WORDS[language]
  return toPageResponse({
    title: title ?? link.flow,
    workspace,
    language,
    status: faults.length === 0 ? 200 : 400,
    headers: { 'x-robots-tag': 'noindex' },
    hasTimes: true,
    content: html`<p class="text">${description ?? about}</p><p class="hint">${openUntil} ${timeOf(link.expiresAt)}</p>
<form method="post">${formFields({ language, form, typed, faults })}<button>${send}</button></form>`,
  })
}

export type SentRequest = Readonly<{ status: RunStatus; createdAt: number; workspace: string }>

export const publicStatusPage = (
  { status, createdAt, workspace }: SentRequest,
  language: Language,
): Promise<Response> => {
  const { title, statuses, sentences, sentAt } = WORDS[language]
  return toPageResponse({
    title,
    workspace,
    language,
    hasTimes: true,
    headers: {
      'x-robots-tag': 'noindex',
      ...(isRunOver(status) ? {} : { refresh: String(REFRESH_S) }),
    },
    content: html`<p role="status"><strong>${statuses[status]}</strong></p><p>${sentences[status]}</p><p class="hint">${sentAt} ${timeOf(createdAt)}</p>`,
  })
}
