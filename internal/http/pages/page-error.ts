/** Errors for people, as a page with the same message and status as in the API. Programs get the usual body. */
import { html } from 'hono/html'
import { AppError } from '#core/error.ts'
import { toWireError } from '../error.ts'
import { type RequestFacts, RequestShapeError } from '../request.ts'
import { toPageResponse } from './page.ts'
import { type Language, languageOf } from './page-language.ts'

/** Programs send or accept JSON. */
export const wantsPage = ({ header }: Pick<RequestFacts, 'header'>): boolean => {
  const isProgram = header('content-type')?.startsWith('application/json') === true
  return !isProgram && header('accept')?.startsWith('application/json') !== true
}

type Words = Readonly<{
  /** By status. */
  titles: Readonly<Record<number, string>>
  title: string
  /** By the error's code, in place of its own message. */
  sentences: Readonly<Record<string, string>>
}>

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    titles: {
      403: 'This link does not work',
      404: 'This link does not work',
      409: 'Not now',
      410: 'This link has ended',
    },
    title: 'That did not work',
    sentences: {},
  },
  ko: {
    titles: {
      403: '사용할 수 없는 링크입니다',
      404: '사용할 수 없는 링크입니다',
      409: '지금은 처리할 수 없습니다',
      410: '만료된 링크입니다',
    },
    title: '처리하지 못했습니다',
    sentences: {
      bad_link:
        '링크가 올바르지 않거나 도중에 바뀌었습니다. 받은 메시지에서 링크 전체를 다시 여세요.',
      link_expired: '링크의 유효 기간이 지났습니다. 보낸 사람에게 새 링크를 요청하세요.',
      link_not_found: '양식을 찾을 수 없습니다. 보낸 사람에게 새 링크를 요청하세요.',
      link_ended: '양식이 마감되었습니다. 보낸 사람에게 새 링크를 요청하세요.',
      view_token_ended: '링크가 만료되었거나 폐기되었습니다. 보낸 사람에게 새 링크를 요청하세요.',
      not_waiting: '지금은 이 단계에 답할 수 없습니다. 아직 시작되지 않았거나 이미 끝났습니다.',
      answered_before: '이미 사용한 링크입니다. 답변은 기록되었습니다.',
      account_disabled: '비활성화된 계정입니다. 관리자에게 문의하세요.',
      approver_removed: '승인자가 워크스페이스에서 제거되어 쓸 수 없는 링크입니다.',
      self_approval: '요청한 사람은 승인할 수 없습니다. 다른 사람에게 부탁하세요.',
    },
  },
}

/** @throws {unknown} an error that a reader of the page cannot correct */
export const asPage = async <Answer>(
  facts: Pick<RequestFacts, 'header'>,
  act: () => Promise<Answer>,
): Promise<Answer | Response> => {
  try {
    return await act()
  } catch (error) {
    const isTheirs = error instanceof AppError || error instanceof RequestShapeError
    if (!(isTheirs && wantsPage(facts))) throw error
    const { status, message, headers } = toWireError(error)
    const language = languageOf(facts)
    const { titles, title, sentences } = WORDS[language]
    const code = error instanceof AppError ? error.code : ''
    return toPageResponse({
      title: titles[status] ?? title,
      language,
      status,
      headers,
      content: html`<p>${sentences[code] ?? message}</p>`,
    })
  }
}
