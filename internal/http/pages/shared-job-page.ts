/** A shared job as a page: how it ended, its result and the end of its log. It shows neither the caller nor the input. */
import { html } from 'hono/html'
import { isTerminal, type JobStatus } from '#core/job/transitions.ts'
import { JsonText } from '#core/json/text.ts'
import { SECOND_MS } from '#core/time-units.ts'
import { timeOf, toPageResponse } from './page.ts'
import type { Language } from './page-language.ts'

const REFRESH_S = 3
/** The number of characters that a browser renders without a pause; links lead to the whole text. */
const MOST_SHOWN = 100_000
/** Terminal colours in the output of programs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these sequences begin with the control character ESC
const COLOURS = /\u001b\[[\d;]*m/g

type Words = Readonly<{
  about: string
  status: string
  created: string
  ended: string
  took: string
  until: string
  result: string
  error: string
  log: string
  whole: string
  noLog: string
  seconds: (seconds: string) => string
  statuses: Readonly<Record<JobStatus, string>>
}>

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    about: 'This job was shared with you. You see its status, result and log, not its input.',
    status: 'Status',
    created: 'Created',
    ended: 'Ended',
    took: 'Duration',
    until: 'Link works until',
    result: 'Result',
    error: 'Error',
    log: 'Log',
    whole: 'Download all of it',
    noLog: 'The job has written nothing.',
    seconds: (seconds) => `${seconds} s`,
    statuses: {
      queued: 'Queued. This page refreshes by itself.',
      running: 'Running. This page refreshes by itself.',
      success: 'Success',
      failure: 'Failure',
      canceled: 'Canceled',
    },
  },
  ko: {
    about: '공유된 작업입니다. 상태, 결과, 로그를 볼 수 있으며 입력은 표시되지 않습니다.',
    status: '상태',
    created: '생성',
    ended: '종료',
    took: '소요 시간',
    until: '링크 만료',
    result: '결과',
    error: '오류',
    log: '로그',
    whole: '전체 내려받기',
    noLog: '작업이 출력한 내용이 없습니다.',
    seconds: (seconds) => `${seconds}초`,
    statuses: {
      queued: '대기 중입니다. 이 페이지는 자동으로 새로 고쳐집니다.',
      running: '실행 중입니다. 이 페이지는 자동으로 새로 고쳐집니다.',
      success: '성공',
      failure: '실패',
      canceled: '취소됨',
    },
  },
}

export type SharedJob = Readonly<{
  /** The token of the page, and of the routes that the page links to. */
  token: string
  workspace: string
  app: string
  action: string
  status: JobStatus
  createdAt: number
  completedAt: number | null
  durationMs: number | null
  expiresAt: number
  result: JsonText | null
  /** The end of the log. */
  log: string
}>

const NO_RESULT = new JsonText('null')

/** Small results get line breaks; those of a large result would take longer than the rest of the page. */
const readable = ({ text }: JsonText): string =>
  text.length > MOST_SHOWN ? text : JSON.stringify(JSON.parse(text), null, 2)

const MOST_DIGITS = { maximumFractionDigits: 1 }

export const sharedJobPage = (job: SharedJob, language: Language): Promise<Response> => {
  const t = WORDS[language]
  const { app, action, workspace, status, completedAt, durationMs, log } = job
  const path = `/api/public/jobs/${encodeURIComponent(job.token)}`
  const result = readable(job.result ?? NO_RESULT)
  const whole = (part: string) => html`<p class="hint"><a href="${path}/${part}">${t.whole}</a></p>`
  const took =
    durationMs === null
      ? ''
      : html`<dt>${t.took}</dt><dd>${durationMs < SECOND_MS ? `${durationMs} ms` : t.seconds((durationMs / SECOND_MS).toLocaleString(language, MOST_DIGITS))}</dd>`
  const facts = html`<dl><dt>${t.status}</dt><dd><span role="status">${t.statuses[status]}</span></dd>
<dt>${t.created}</dt><dd>${timeOf(job.createdAt)}</dd>${completedAt === null ? '' : html`<dt>${t.ended}</dt><dd>${timeOf(completedAt)}</dd>`}${took}
<dt>${t.until}</dt><dd>${timeOf(job.expiresAt)}</dd></dl>`
  const outcome = isTerminal(status)
    ? html`<h2>${status === 'failure' ? t.error : t.result}</h2><pre tabindex="0">${result.slice(0, MOST_SHOWN)}</pre>${result.length > MOST_SHOWN ? whole('result') : ''}`
    : ''
  const output =
    log === ''
      ? html`<p class="hint">${t.noLog}</p>`
      : html`<pre tabindex="0">${log.replaceAll(COLOURS, '').slice(-MOST_SHOWN)}</pre>${whole('logs')}`
  return toPageResponse({
    title: `${app}/${action}`,
    workspace,
    language,
    isWide: true,
    hasTimes: true,
    headers: {
      'x-robots-tag': 'noindex',
      vary: 'Accept, Accept-Language',
      ...(isTerminal(status) ? {} : { refresh: String(REFRESH_S) }),
    },
    content: html`<p>${t.about}</p>${facts}${outcome}<h2>${t.log}</h2>${output}`,
  })
}
